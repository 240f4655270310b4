package org.lagbench.engines.netty;

import io.netty.handler.codec.quic.Quic;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Traffic;
import org.lagbench.engines.message.IsolatedEngine;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;

/** The engine {@code quic}: a stream of QUIC (RFC 9000) over UDP, with TLS 1.3 and a certificate made for the run. */
public final class QuicEngine extends IsolatedEngine {
    /** Creates the engine, for the service loader. */
    public QuicEngine() {
        super(
                "quic",
                10,
                Set.of(SocketBuffer.SEND.settingName(), SocketBuffer.RECEIVE.settingName()),
                NettyEngine.NAME);
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return Set.of(Wire.UDP);
    }

    @Override
    public boolean bindsSenders() {
        return true;
    }

    @Override
    protected void checkMachine(Settings settings) throws LagbenchException {
        @Nullable Throwable cause = Quic.isAvailable() ? null : Quic.unavailabilityCause();
        if (cause != null) {
            throw ExitCode.UNAVAILABLE.failure(
                    "engine: quic is not available here: its native library does not load ("
                            + IoErrors.reason(IoErrors.rootOf(cause))
                            + "). It needs Linux on x86-64; use another engine.",
                    cause);
        }
    }

    @Override
    protected PacketSender openSender(SideConfig run, boolean introduces) throws LagbenchException {
        return new QuicSender(run, introduces);
    }

    @Override
    protected PacketReceiver listen(SideConfig run) throws IOException, LagbenchException {
        return QuicReceiver.open(run);
    }
}
