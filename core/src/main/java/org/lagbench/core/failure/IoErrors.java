package org.lagbench.core.failure;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Plain messages for failed I/O, which replace the messages of {@code java.nio}. */
public final class IoErrors {
    private IoErrors() {}

    /** Returns the reason as a clause: "there is no such file or directory", "No space left on device". */
    public static String reason(Exception failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file or directory";
        } else if (failure instanceof AccessDeniedException) {
            return "you have no permission";
        } else if (failure instanceof FileAlreadyExistsException) {
            return "something else is in its place";
        } else if (failure instanceof NotDirectoryException) {
            return "it is not a directory";
        } else if (failure instanceof ClosedChannelException) {
            return "it was closed on this side";
        }
        String reason = failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
        return reason == null ? words(failure) : reason;
    }

    /** Returns the name of an exception without a message in words: "buffer underflow". */
    private static String words(Exception failure) {
        if (failure instanceof EOFException) {
            return "it ended early";
        }
        return failure.getClass() == IOException.class
                ? "no reason is known"
                : failure.getClass()
                        .getSimpleName()
                        .replaceFirst("(Exception|Error)$", "")
                        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                        .toLowerCase(Locale.ROOT);
    }

    /** Returns the first cause of a failure; a failure without a cause itself. */
    public static Throwable rootOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : rootOf(cause);
    }

    /** Returns the disk of an existing file or directory, by its mount point and device: "/home (/dev/vda1)". */
    public static String disk(Path file) {
        try {
            return Files.getFileStore(file).toString();
        } catch (IOException e) {
            return "the disk of " + file;
        }
    }

    /** Work with files. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        T get() throws IOException, LagbenchException;
    }

    /**
     * Returns the result of work with files.
     *
     * @throws LagbenchException as {@link #toException} with the sentence if it fails
     */
    public static <T extends @Nullable Object> T explained(String sentence, Work<T> work) throws LagbenchException {
        try {
            return work.get();
        } catch (IOException e) {
            throw toException(sentence, e);
        }
    }

    /** Returns an exception with {@link ExitCode#FILES}: the sentence, a colon and the {@link #reason}. */
    public static LagbenchException toException(String sentence, IOException failure) {
        return ExitCode.FILES.failure(sentence + ": " + reason(failure) + ".", failure);
    }
}
