package org.lagbench.native1394;

import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;

/** The native library and the virtual bus. Thread-safe. */
public final class NativeLibrary {
    /** The system property that names the directory of {@link #FILES}. */
    public static final String DIRECTORY_PROPERTY = "lagbench.native";

    /**
     * The files liblagbench1394.so, which is missing if libraw1394 was at the build, liblagbench_bus_shim.so and
     * lagbench-busd.
     */
    public static final NativeFiles FILES = new NativeFiles(
            DIRECTORY_PROPERTY,
            NativeLibrary.class,
            "apt-get install libraw1394-dev && mvn -pl native1394 -am package",
            "IEEE-1394");

    private NativeLibrary() {}

    /**
     * Loads the library if it is not loaded.
     *
     * @throws LagbenchException if it does not exist or does not load
     */
    static void load() throws LagbenchException {
        FILES.load("liblagbench1394.so", "Is libraw1394 installed (apt-get install libraw1394-11)?");
    }
}
