package org.lagbench.core.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/** A directory with everything in it. */
public final class FileTree {
    private FileTree() {}

    /**
     * Checks that a directory, which another user may have made, contains nothing but files and directories. A link
     * would make this process read or create files elsewhere, and reading a pipe or a device may never end.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} and the path of something else
     */
    public static void requireFiles(Path directory) throws LagbenchException {
        try {
            Files.walkFileTree(directory.toRealPath(), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (!attributes.isRegularFile()) {
                        throw new FileSystemException(
                                file.toString(),
                                null,
                                "it is a link, a pipe or a device; replace it by a file or delete it");
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    if (failure instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE; // another process has deleted it meanwhile
                    }
                    throw failure;
                }
            });
        } catch (FileSystemException e) {
            throw IoErrors.toException(e.getFile() + " cannot be used", e);
        } catch (IOException e) {
            throw IoErrors.toException(directory + " cannot be read", e);
        }
    }

    /**
     * Like {@link #requireFiles}, for a directory to which this process writes. Root does not write to another user's
     * directory, because that user could replace a directory by a link meanwhile.
     */
    public static void requireOwnFiles(Path directory) throws LagbenchException {
        requireFiles(directory);
        if (IoErrors.explained(
                directory + " cannot be examined", () -> TrustedUsers.isRootInDirectoryOfOthers(directory))) {
            throw ExitCode.FILES.failure(
                    directory + " belongs to another user, who could make root write elsewhere; run"
                            + " this as that user, or use a copy: cp -r.");
        }
    }

    /**
     * Checks that a path is a file, if it exists: reading a pipe or a device may never end.
     *
     * @param name the beginning of the message, which names it
     * @param advice what to use instead
     */
    public static void requireFile(Path path, String name, String advice) throws LagbenchException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw ExitCode.FILES.failure(name + " is a " + (Files.isDirectory(path) ? "directory" : "pipe or a device")
                    + "; " + advice + ".");
        }
    }

    /** Returns the files and directories in a directory, in any order. */
    public static List<Path> list(Path directory) throws LagbenchException {
        return IoErrors.explained(directory + " cannot be read", () -> {
            try (Stream<Path> entries = Files.list(directory)) {
                return entries.toList();
            }
        });
    }

    /** Deletes a directory with everything in it, if it exists. */
    public static void delete(Path directory) throws LagbenchException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw IoErrors.toException(directory + " cannot be deleted", e);
        }
    }
}
