package org.lagbench.engines.rist;

import java.nio.file.Path;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Traffic;
import org.lagbench.engines.message.EngineProgram;
import org.lagbench.packetio.nativeengine.ProgramEngine;

/** The engine {@code librist}: a block of data for each packet, by a program in C over librist (src/main/rist). */
public final class RistEngine extends ProgramEngine {
    private static final EngineProgram PROGRAM =
            new EngineProgram("lagbench-rist", "librist", "librist", "librist-dev pkg-config");

    /** Creates the engine, for the service loader. */
    public RistEngine() {}

    @Override
    public String name() {
        return "librist";
    }

    @Override
    public int tableOrder() {
        return 13;
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return traffic == Traffic.ONE_WAY ? Set.of(Wire.LIBRARY) : Set.of();
    }

    @Override
    public boolean serves(Transport transport, Traffic traffic) {
        return transport instanceof RistTransport && super.serves(transport, traffic);
    }

    @Override
    protected Path program() throws LagbenchException {
        return PROGRAM.path();
    }
}
