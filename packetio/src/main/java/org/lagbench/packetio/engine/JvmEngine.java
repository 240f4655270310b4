package org.lagbench.packetio.engine;

import java.util.function.Consumer;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SocketApi;

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
        return transport instanceof PacketTransport packetTransport
                && (traffic != Traffic.TRANSFER || packetTransport.servesTransfers());
    }

    @Override
    public final SendEngine openSender(EngineConfig config, SenderCapture capture) throws LagbenchException {
        if (config.traffic().kind() == Traffic.TRANSFER) {
            TransferLoop.Connections packets = introduces ->
                    config.transport().openTransferSender(config.run().with(socketApi), introduces);
            CompressionSpec compression = TransferPlan.of(config).compression();
            return TransferLoop.open(
                    config,
                    capture,
                    compression == null ? packets : PieceCompression.load().compress(config, compression, packets));
        }
        return SendLoop.of(config.transport().openSender(config.run().with(socketApi)), config, capture);
    }

    @Override
    public final void checkCompression(Transport transport, Settings settings, CompressionSpec compression)
            throws LagbenchException {
        if (!(transport instanceof PacketTransport packetTransport) || !packetTransport.servesChunks()) {
            PacketEngine.super.checkCompression(transport, settings, compression);
            return;
        }
        packetTransport.checkChunks(settings);
        PieceCompression.load().check(compression);
    }

    private PacketReceiver openChunkReceiver(EngineConfig config, long pieces, ReceivedBytesCapture bytes)
            throws LagbenchException {
        if (!config.transport().servesChunks()) {
            throw new LagbenchException(
                    ExitCode.USAGE, config.transport().name() + " has no compressed transfers; the sender sends them.");
        }
        return PieceCompression.load().openReceiver(config, config.run().with(socketApi), pieces, bytes);
    }

    /** Returns how a sender of a run receives answers. */
    static Answers answers(EngineConfig config) {
        ReceiverCapture capture = config.answers();
        if (capture == null) {
            return Answers.NONE;
        }
        PacketAccounting accounting = accounting(config, capture);
        long timeoutNs = config.traffic().answerTimeout().toNanos();
        return config.traffic().isPingPong()
                ? new PingPong(accounting, timeoutNs, !config.transport().isConnectionOriented())
                : new AnswerThread(accounting, timeoutNs);
    }

    private static PacketAccounting accounting(EngineConfig config, ReceiverCapture capture) {
        return new PacketAccounting(
                config.run().tag(), config.packets(), config.warmUpPackets(), config.leadOutPackets(), capture);
    }

    @Override
    public final ReceiveEngine openReceiver(EngineConfig config, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException {
        if (config.traffic().kind() == Traffic.TRANSFER) {
            boolean areChunks = TransferPlan.announcesChunks(config);
            return ReceiveLoop.ofTransfers(
                    config,
                    accounting(config, capture),
                    onFailure,
                    ReceiveLoop.THREADS,
                    (pieces, bytes) -> areChunks
                            ? openChunkReceiver(config, pieces, bytes)
                            : config.transport()
                                    .openTransferReceiver(config.run().with(socketApi), pieces, bytes));
        }
        PacketReceiver receiver = config.transport().openReceiver(config.run().with(socketApi), config.announced());
        return new ReceiveLoop(receiver, accounting(config, capture), onFailure);
    }
}
