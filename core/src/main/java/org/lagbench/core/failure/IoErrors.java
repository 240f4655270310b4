package org.lagbench.core.failure;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Plain messages for failed I/O, which replace those of {@code java.nio} and {@code java.net} and are equal on each
 * JDK.
 */
public final class IoErrors {
    /**
     * The kernel's errors of sockets, as strerror names them. A JDK or Netty appends the name of the call, or the
     * address.
     */
    private static final List<String> SOCKET_ERRORS = List.of(
            "Address already in use",
            "Address family not supported by protocol",
            "Broken pipe",
            "Cannot assign requested address",
            "Connection refused",
            "Connection reset by peer",
            "Connection timed out",
            "Host is down",
            "Invalid argument",
            "Machine is not on the network",
            "Message too long",
            "Network is down",
            "Network is unreachable",
            "No buffer space available",
            "No route to host",
            "No such device",
            "Operation not permitted",
            "Operation not supported",
            "Permission denied",
            "Protocol not available",
            "Protocol not supported",
            "Software caused connection abort",
            "Too many open files",
            "Transport endpoint is not connected");

    private static final String CLOSED = "it was closed on this side";
    private static final String TIMED_OUT = "no reply in time";

    /** The JDK's own messages in lower case, with their replacements. */
    private static final Map<String, String> JDK_MESSAGES = Map.of(
            "accept timed out", "no connection in time",
            "closed by interrupt", CLOSED,
            "connect timed out", "Connection timed out",
            "connection reset", "Connection reset by peer",
            "read timed out", TIMED_OUT,
            "receive timed out", TIMED_OUT,
            "socket closed", CLOSED,
            "socket is closed", CLOSED,
            "stream closed", CLOSED);

    /** How Netty names the call before an error: "finishConnect(..) failed: ". */
    private static final Pattern CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed: ");

    private IoErrors() {}

    /** Returns the reason as a clause: "there is no such file or directory", "No space left on device". */
    public static String reason(Throwable failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file or directory";
        } else if (failure instanceof AccessDeniedException) {
            return "you have no permission";
        } else if (failure instanceof FileAlreadyExistsException) {
            return "something else is in its place";
        } else if (failure instanceof NotDirectoryException) {
            return "it is not a directory";
        } else if (failure instanceof ClosedChannelException) {
            return CLOSED;
        } else if (failure instanceof UncheckedIOException unchecked) {
            return reason(Objects.requireNonNull(unchecked.getCause()));
        }
        String reason = failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
        return reason == null ? words(failure) : plain(reason);
    }

    /** Returns the message of an error of a socket without what differs between JDKs; other messages unchanged. */
    private static String plain(String message) {
        String error = CALL.matcher(message).replaceFirst("");
        for (String known : SOCKET_ERRORS) {
            if (error.equals(known) || error.startsWith(known + " (") || error.startsWith(known + ":")) {
                return known;
            }
        }
        return JDK_MESSAGES.getOrDefault(error.toLowerCase(Locale.ROOT), message);
    }

    /** Returns the name of an exception without a message in words: "buffer underflow". */
    private static String words(Throwable failure) {
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
