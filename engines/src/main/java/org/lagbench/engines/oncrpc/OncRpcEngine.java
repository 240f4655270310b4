package org.lagbench.engines.oncrpc;

import java.nio.file.Path;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.Traffic;
import org.lagbench.engines.message.EngineProgram;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.packetio.engine.InProcessEngine;
import org.lagbench.packetio.nativeengine.ProgramEngine;

/**
 * The engine {@code onc-rpc}: a remote call for each packet, by a program in C over libtirpc (src/main/oncrpc). The
 * call returns when the receiver has counted the packet, or with the reply.
 */
public final class OncRpcEngine extends ProgramEngine {
    private static final EngineProgram PROGRAM =
            new EngineProgram("lagbench-onc-rpc", "onc-rpc", "libtirpc", "libtirpc-dev pkg-config");

    /** The length of the record (4 bytes), the header of a call without credentials (40), and the data's length (4). */
    private static final Framing FRAMING = new Framing(4 + 40 + 4, 4);

    /** Creates the engine, for the service loader. */
    public OncRpcEngine() {}

    @Override
    public String name() {
        return "onc-rpc";
    }

    @Override
    public int order() {
        return 11;
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return traffic == Traffic.TRANSFER ? Set.of() : Set.of(Wire.TCP);
    }

    @Override
    public void check(Transport transport, Settings settings) throws LagbenchException {
        InProcessEngine.refuseOthers(this, transport, settings, MessageEngine.SOCKET_SETTINGS);
    }

    @Override
    public Framing framing(Settings settings) {
        return FRAMING;
    }

    @Override
    protected Path program() throws LagbenchException {
        return PROGRAM.path();
    }
}
