package org.lagbench.packetio.jni;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The files of a module's native build. Their directory is named by a system property; without it, it is {@code native}
 * beside the module's classes or jar, where the build puts it. Immutable.
 */
public final class NativeFiles {
    private final String property;
    private final Class<?> type;
    private final String module;
    private final String purpose;

    /**
     * @param property the system property that names the directory
     * @param type a class of the module
     * @param module its name
     * @param purpose what the files are needed for, to begin a sentence with
     */
    public NativeFiles(String property, Class<?> type, String module, String purpose) {
        this.property = property;
        this.type = type;
        this.module = module;
        this.purpose = purpose;
    }

    /** Where the files are expected. */
    public Path directory() {
        @Nullable String given = System.getProperty(property);
        if (given != null) {
            return Path.of(given).toAbsolutePath();
        }
        try {
            Path classes = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            return classes.resolveSibling("native").toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the location of lagbench's classes is not a path", e);
        }
    }

    /**
     * One of the files.
     *
     * @throws LagbenchException if it is not there
     */
    public Path file(String name) throws LagbenchException {
        Path file = directory().resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    purpose + " needs " + file + ", which is not there; build it with: mvn -pl " + module
                            + " -am package");
        }
        return file;
    }

    /**
     * Loads one of the files, a library, unless it is loaded. Thread-safe.
     *
     * @param advice what to do if it does not load, a sentence
     * @throws LagbenchException if it is not there or does not load
     */
    public void load(String name, String advice) throws LagbenchException {
        Path file = file(name);
        try {
            System.load(file.toString());
        } catch (UnsatisfiedLinkError e) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE, file + " does not load: " + e.getMessage() + ". " + advice, e);
        }
    }
}
