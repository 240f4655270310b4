package org.lagbench.engines.grpc;

import java.io.IOException;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.Traffic;
import org.lagbench.engines.message.IsolatedEngine;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;

/**
 * The engine {@code grpc}, over HTTP/2 without TLS: a client-streaming call for all packets or for each transfer, a
 * unary call for each round trip.
 */
public final class GrpcEngine extends IsolatedEngine {
    /** The logger of gRPC, which would print a stack trace for each stranger's connection. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    /** The headers of a DATA frame of HTTP/2 and of a message; one frame may have several messages. */
    private static final Framing FRAMING = new Framing(9 + 5, 1, 9);

    /** Creates the engine, for the service loader. */
    public GrpcEngine() {
        super("grpc", 7, SOCKET_SETTINGS);
    }

    /** Silences gRPC's log. Checks nothing, because gRPC runs on every JVM. */
    @Override
    protected void checkMachine(Settings settings) {
        GRPC.setLevel(Level.OFF);
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
        return run.isAnswered() ? new GrpcCaller(run) : new GrpcSender(run);
    }

    @Override
    protected PacketReceiver listen(SideConfig run) throws IOException, LagbenchException {
        return new GrpcReceiver(run);
    }
}
