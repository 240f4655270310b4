package org.lagbench.native1394;

import java.nio.file.Path;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.jni.NativeFiles;

/** Finds and loads the native library, in whose directory the virtual bus is too. Thread-safe. */
public final class NativeLibrary {
    /** Names the directory of liblagbench1394.so, liblagbench_bus_shim.so and lagbench-busd. */
    public static final String DIRECTORY_PROPERTY = "lagbench.native";

    private static final NativeFiles FILES =
            new NativeFiles(DIRECTORY_PROPERTY, NativeLibrary.class, "native1394", "IEEE-1394");

    private static boolean loaded;

    private NativeLibrary() {}

    /**
     * Loads the library unless it is.
     *
     * @throws LagbenchException if it is not there or does not load: where it was looked for and how to build it
     */
    static synchronized void load() throws LagbenchException {
        if (!loaded) {
            FILES.load("liblagbench1394.so", "Is libraw1394 installed (apt-get install libraw1394-11)?");
            loaded = true;
        }
    }

    /**
     * A file of the native build.
     *
     * @throws LagbenchException if it is not there
     */
    static Path file(String name) throws LagbenchException {
        return FILES.file(name);
    }

    /** Where the native build's files are expected. */
    public static Path directory() {
        return FILES.directory();
    }
}
