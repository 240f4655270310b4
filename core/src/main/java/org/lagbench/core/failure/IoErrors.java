package org.lagbench.core.failure;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Reasons of failed I/O in plain words, in place of the messages of {@code java.nio}. */
public final class IoErrors {
    private IoErrors() {}

    /** Returns the reason, to stand behind a colon: "there is no such file", "No space left on device". */
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
        return reason == null ? failure.toString() : reason;
    }

    /** Returns an exception with {@link ExitCode#FILES}: the sentence, a colon and the {@link #reason}. */
    public static LagbenchException toException(String sentence, IOException failure) {
        return new LagbenchException(ExitCode.FILES, sentence + ": " + reason(failure) + ".", failure);
    }
}
