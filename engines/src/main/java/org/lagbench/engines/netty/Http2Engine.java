package org.lagbench.engines.netty;

import java.io.IOException;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.Traffic;
import org.lagbench.engines.message.IsolatedEngine;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;

/** The engine {@code http2}: POST requests of HTTP/2 (RFC 9113) over TCP without TLS, by Netty. */
public final class Http2Engine extends IsolatedEngine {
    /** The header of a DATA frame; Netty merges frames that wait. */
    private static final Framing FRAMING = new Framing(9, 1, 9);

    /** Creates the engine, for the service loader. */
    public Http2Engine() {
        super("http2", 9, SOCKET_SETTINGS, NettyEngine.NAME);
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return Set.of(Wire.TCP);
    }

    @Override
    public Framing framing(Settings settings) {
        return FRAMING;
    }

    @Override
    protected PacketSender openSender(SideConfig run, boolean introduces) {
        return new Http2Sender(run);
    }

    @Override
    protected PacketReceiver listen(SideConfig run) throws IOException, LagbenchException {
        return Http2Receiver.open(run);
    }
}
