package org.lagbench.core.file;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The files of a module's native build. Their directory is {@code native} next to the module's classes or jar, or the
 * one that a system property names.
 *
 * @param property the system property
 * @param type a class of the module
 * @param build the command that builds the files
 * @param purpose what needs the files, the beginning of a message
 */
public record NativeFiles(String property, Class<?> type, String build, String purpose) {
    public Path directory() {
        return directory(property, type, "native");
    }

    /** Returns the directory that a system property names, else the one with a name next to a class's module. */
    public static Path directory(String property, Class<?> type, String name) {
        @Nullable String directory = System.getProperty(property);
        if (directory != null) {
            return Path.of(directory).toAbsolutePath();
        }
        try {
            Path classes = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            return classes.resolveSibling(name).toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the location of lagbench's classes is not a path", e);
        }
    }

    /**
     * Returns the path of a file.
     *
     * @throws LagbenchException if it does not exist
     */
    public Path file(String name) throws LagbenchException {
        Path file = directory().resolve(name);
        if (!Files.isRegularFile(file)) {
            throw ExitCode.UNAVAILABLE.failure(
                    purpose + " needs " + file + ", which does not exist; build it with: " + build + ".");
        }
        return file;
    }

    /**
     * Loads a library if it is not loaded. Thread-safe.
     *
     * @param advice a sentence that states what to do if it does not load
     * @throws LagbenchException if it does not exist or does not load
     */
    public void load(String name, String advice) throws LagbenchException {
        Path file = file(name);
        try {
            System.load(file.toString());
        } catch (UnsatisfiedLinkError e) {
            throw ExitCode.UNAVAILABLE.failure(file + " does not load: " + e.getMessage() + ". " + advice, e);
        }
    }
}
