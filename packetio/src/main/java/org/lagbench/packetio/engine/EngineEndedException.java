package org.lagbench.packetio.engine;

import java.io.IOException;

/** The program of an engine ended on this host. The other side cannot know the reason. */
public final class EngineEndedException extends IOException {
    private static final long serialVersionUID = 1;

    public EngineEndedException(String reason) {
        super(reason);
    }
}
