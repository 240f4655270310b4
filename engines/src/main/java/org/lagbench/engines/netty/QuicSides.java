package org.lagbench.engines.netty;

import io.netty.handler.codec.quic.Quic;
import io.netty.handler.codec.quic.QuicCodecBuilder;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.engines.message.Sides;
import org.lagbench.packetio.socket.TransferPieces;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransferSender;
import org.lagbench.packetio.transport.TransportRun;

/** Opens the sides of runs through QUIC. */
public final class QuicSides implements Sides {
    /** The application protocol (ALPN) of both sides. */
    static final String PROTOCOL = "lagbench";

    /** The key of the fingerprint of a receiver's certificate in its announcement. */
    static final String FINGERPRINT = "certificate-sha256";

    /** How many bytes a side may send ahead of the other's reads, in a stream and in a connection. */
    private static final long WINDOW_BYTES = 1 << 20;

    /** Creates the sides, for the loader of libraries. */
    public QuicSides() {}

    /** Sets what both sides of a connection offer. There is no idle timeout: the control connection has one. */
    static <B extends QuicCodecBuilder<B>> B configured(B codec) {
        return codec.initialMaxData(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalLocal(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalRemote(WINDOW_BYTES)
                .initialMaxStreamsBidirectional(1);
    }

    @Override
    public void checkMachine(Settings settings) throws LagbenchException {
        @Nullable Throwable cause = Quic.isAvailable() ? null : Quic.unavailabilityCause();
        if (cause != null) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "engine: quic is not available here: its native library does not load ("
                            + NettyIo.rootOf(cause).getMessage()
                            + "). It needs Linux on x86-64; use another engine.",
                    cause);
        }
    }

    @Override
    public PacketSender openSender(PacketTransport transport, TransportRun run) throws LagbenchException {
        checkMachine(run.settings());
        return new QuicSender(run, true);
    }

    @Override
    public PacketReceiver openReceiver(PacketTransport transport, TransportRun run) throws LagbenchException {
        checkMachine(run.settings());
        return QuicReceiver.open(run, null);
    }

    @Override
    public TransferSender openTransferSender(PacketTransport transport, TransportRun run, boolean introduces)
            throws LagbenchException {
        checkMachine(run.settings());
        return new QuicSender(run, introduces);
    }

    @Override
    public PacketReceiver openTransferReceiver(
            PacketTransport transport, TransportRun run, long pieces, ReceivedBytesCapture bytes)
            throws LagbenchException {
        checkMachine(run.settings());
        return QuicReceiver.open(run, new TransferPieces(run, pieces, bytes));
    }
}
