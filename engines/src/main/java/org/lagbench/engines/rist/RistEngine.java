package org.lagbench.engines.rist;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.Framing;
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

    /** The tunnel's header before that of RTP depends on the version of librist, and on the peer's. */
    @Override
    public @Nullable Framing framing(Settings settings) {
        return settings.word(RistTransport.ENCRYPTION).equals(Parameter.NONE) ? Framing.LAST : null;
    }
}
