package org.lagbench.packetio.engine;

import java.io.IOException;

/** The program of an engine ended on this host, which the other side cannot explain. */
public final class EngineEndedException extends IOException {
    private static final long serialVersionUID = 1;

    public EngineEndedException(String reason) {
        super(reason);
    }
}
