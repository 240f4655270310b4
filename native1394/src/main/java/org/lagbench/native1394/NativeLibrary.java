package org.lagbench.native1394;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Finds and loads the native library. Its directory, which also holds the virtual bus, is named by the system property
 * {@value #DIRECTORY_PROPERTY}; without it, it is {@code native} beside this module's classes or jar, where the build
 * puts it. Thread-safe.
 */
public final class NativeLibrary {
    /** Names the directory of liblagbench1394.so, liblagbench_bus_shim.so and lagbench-busd. */
    public static final String DIRECTORY_PROPERTY = "lagbench.native";

    private static final String FILE_NAME = "liblagbench1394.so";

    private static boolean loaded;

    private NativeLibrary() {}

    /**
     * Loads the library unless it is.
     *
     * @throws LagbenchException if it is not there or does not load: where it was looked for and how to build it
     */
    static synchronized void load() throws LagbenchException {
        if (!loaded) {
            Path file = file(FILE_NAME);
            try {
                System.load(file.toString());
            } catch (UnsatisfiedLinkError e) {
                throw new LagbenchException(
                        ExitCode.UNAVAILABLE,
                        file + " does not load: " + e.getMessage()
                                + ". Is libraw1394 installed (apt-get install libraw1394-11)?",
                        e);
            }
            loaded = true;
        }
    }

    /**
     * A file of the native build.
     *
     * @throws LagbenchException if it is not there
     */
    static Path file(String name) throws LagbenchException {
        Path file = directory().resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "IEEE-1394 needs " + file + ", which is not there; build it with: mvn -pl native1394 -am package");
        }
        return file;
    }

    /** Where the native build's files are expected. */
    public static Path directory() {
        @Nullable String property = System.getProperty(DIRECTORY_PROPERTY);
        if (property != null) {
            return Path.of(property).toAbsolutePath();
        }
        try {
            Path classes = Path.of(NativeLibrary.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return classes.resolveSibling("native").toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the location of lagbench's classes is not a path", e);
        }
    }
}
