package org.lagbench.packetio.engine;

import java.util.function.Consumer;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.socket.TransferPieces;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SocketApi;
import org.lagbench.packetio.transport.TransferTransport;

/** An engine that sends and receives in this process, over sockets through one API. */
abstract class JvmEngine implements PacketEngine {
    private final SocketApi socketApi;

    JvmEngine(SocketApi socketApi) {
        this.socketApi = socketApi;
    }

    @Override
    public final boolean runsOnJvm() {
        return true;
    }

    @Override
    public boolean serves(Transport transport, Traffic traffic) {
        return traffic == Traffic.TRANSFER
                ? transport instanceof TransferTransport
                : transport instanceof PacketTransport;
    }

    @Override
    public final SendEngine openSender(SideConfig side, SenderCapture capture) throws LagbenchException {
        SideConfig config = side.with(socketApi);
        if (config.traffic().kind() == Traffic.TRANSFER) {
            TransferTransport transport = TransferTransport.of(config.transport());
            CompressionSpec compression = TransferPlan.of(config).compression();
            TransferLoop.Connections connections = compression == null
                    ? introduces -> TransferLoop.Connection.of(transport.openTransferSender(config, introduces))
                    : PieceCompression.load().connections(config, compression);
            return TransferLoop.open(config, capture, connections);
        }
        return SendLoop.of(config.transport().openSender(config), config, capture);
    }

    @Override
    public final void checkCompression(Transport transport, Settings settings, CompressionSpec compression)
            throws LagbenchException {
        if (!(transport instanceof TransferTransport transfers)) {
            PacketEngine.super.checkCompression(transport, settings, compression);
            return;
        }
        transfers.checkChunks(settings);
        PieceCompression.load().check(compression);
    }

    /** Returns how a sender of a run receives answers. */
    static Replies answers(SideConfig config) {
        ReceiverCapture capture = config.answers();
        if (capture == null) {
            return Replies.NONE;
        }
        PacketAccounting accounting = accounting(config, capture);
        long timeoutNs = config.traffic().answerTimeout().toNanos();
        return config.traffic().isPingPong()
                ? new PingPong(accounting, timeoutNs, !config.transport().isConnectionOriented())
                : new ReplyThread(accounting, timeoutNs);
    }

    private static PacketAccounting accounting(SideConfig config, ReceiverCapture capture) {
        return new PacketAccounting(config.tag(), config.phases(), capture);
    }

    @Override
    public final ReceiveEngine openReceiver(SideConfig side, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException {
        SideConfig config = side.with(socketApi);
        if (config.traffic().kind() == Traffic.TRANSFER) {
            return ReceiveLoop.ofTransfers(
                    config,
                    accounting(config, capture),
                    onFailure,
                    ReceiveLoop.THREADS,
                    (pieces, bytes) -> TransferTransport.of(config.transport())
                            .openTransferReceiver(
                                    config,
                                    TransferPlan.announcesChunks(config)
                                            ? PieceCompression.load().newFramer(config, pieces, bytes)
                                            : new TransferPieces(config, pieces, bytes)));
        }
        PacketReceiver receiver = config.transport().openReceiver(config, config.announced());
        return new ReceiveLoop(receiver, accounting(config, capture), onFailure);
    }
}
