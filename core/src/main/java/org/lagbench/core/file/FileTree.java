package org.lagbench.core.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/** A directory with everything in it. */
public final class FileTree {
    private FileTree() {}

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
