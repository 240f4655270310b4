package org.lagbench.engines.rist;

import org.lagbench.engines.message.EngineProgram;
import org.lagbench.engines.message.LibraryEngine;

/** The engine {@code librist}: a block of data for each packet, by a program in C over librist (src/main/rist). */
public final class RistEngine extends LibraryEngine {
    /** Creates the engine, for the service loader. */
    public RistEngine() {
        super(
                new EngineProgram("lagbench-rist", "librist", "librist", "librist-dev pkg-config"),
                13,
                RistTransport.class);
    }
}
