package org.lagbench.engines.rist;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.Framing;
import org.lagbench.engines.message.EngineProgram;
import org.lagbench.engines.message.LibraryEngine;

/** The engine {@code librist}: a block of data for each packet, by a program in C over librist (src/main/rist). */
public final class RistEngine extends LibraryEngine {
    private static final int RTP_BYTES = 12;

    /** The header of GRE, and the two ports that follow it. */
    private static final int TUNNEL_BYTES = 4 + 4;

    /** Creates the engine, for the service loader. */
    public RistEngine() {
        super(
                new EngineProgram("lagbench-rist", "librist", "librist", "librist-dev pkg-config"),
                13,
                RistTransport.class);
    }

    @Override
    public @Nullable Framing framing(Settings settings) {
        boolean isTunneled = settings.word(RistTransport.PROFILE).equals(RistTransport.MAIN);
        return settings.word(RistTransport.ENCRYPTION).equals(Parameter.NONE)
                ? new Framing((isTunneled ? TUNNEL_BYTES : 0) + RTP_BYTES, 1)
                : null;
    }
}
