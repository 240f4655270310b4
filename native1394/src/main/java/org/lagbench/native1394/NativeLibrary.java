package org.lagbench.native1394;

import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.jni.NativeFiles;

/** The native library and the other files of the native build, among them the virtual bus. Thread-safe. */
public final class NativeLibrary {
    /** Names the directory of liblagbench1394.so, liblagbench_bus_shim.so and lagbench-busd. */
    public static final String DIRECTORY_PROPERTY = "lagbench.native";

    /** The files of the native build. */
    public static final NativeFiles FILES =
            new NativeFiles(DIRECTORY_PROPERTY, NativeLibrary.class, "native1394", "IEEE-1394");

    private NativeLibrary() {}

    /**
     * Loads the library unless it is loaded.
     *
     * @throws LagbenchException if it is not there or does not load: where it was looked for and how to build it
     */
    static void load() throws LagbenchException {
        FILES.load("liblagbench1394.so", "Is libraw1394 installed (apt-get install libraw1394-11)?");
    }
}
