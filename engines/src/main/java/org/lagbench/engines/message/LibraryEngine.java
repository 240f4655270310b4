package org.lagbench.engines.message;

import java.nio.file.Path;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.nativeengine.ProgramEngine;

/** An engine whose program sends packets one way by a library, which has its own transport. */
public abstract class LibraryEngine extends ProgramEngine {
    private final EngineProgram program;
    private final int order;
    private final Class<? extends Transport> transport;

    protected LibraryEngine(EngineProgram program, int order, Class<? extends Transport> transport) {
        this.program = program;
        this.order = order;
        this.transport = transport;
    }

    @Override
    public final String name() {
        return program.engine();
    }

    @Override
    public final int order() {
        return order;
    }

    @Override
    public final Set<Wire> wires(Traffic traffic) {
        return traffic == Traffic.ONE_WAY ? Set.of(Wire.LIBRARY) : Set.of();
    }

    @Override
    public final boolean serves(Transport other, Traffic traffic) {
        return transport.isInstance(other) && super.serves(other, traffic);
    }

    @Override
    protected final Path program() throws LagbenchException {
        return program.path();
    }
}
