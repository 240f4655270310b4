package org.lagbench.core.failure;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file could not be read or written, in the user's words and not in those of {@code java.nio.file}. */
public final class FileTrouble {
    private FileTrouble() {}

    /** The reason, to stand behind a colon: "there is no such file", "No space left on device". */
    public static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file or directory";
        } else if (failure instanceof AccessDeniedException) {
            return "you have no permission";
        } else if (failure instanceof FileAlreadyExistsException) {
            return "something else is in its place";
        } else if (failure instanceof NotDirectoryException) {
            return "it is not a directory";
        }
        String reason = failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
        return reason == null ? failure.toString() : reason;
    }
}
