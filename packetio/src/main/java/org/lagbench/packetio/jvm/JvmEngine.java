package org.lagbench.packetio.jvm;

import java.util.function.Consumer;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.transport.Transport;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.packet.PacketAccounting;
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
            return TransferLoop.open(config, capture, introduces -> config.transport()
                    .openTransferSender(config.run().with(socketApi), introduces));
        }
        return SendLoop.of(config.transport().openSender(config.run().with(socketApi)), config, capture);
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
            return ReceiveLoop.ofTransfers(
                    config,
                    accounting(config, capture),
                    onFailure,
                    ReceiveLoop.THREADS,
                    (pieces, bytes) ->
                            config.transport().openTransferReceiver(config.run().with(socketApi), pieces, bytes));
        }
        PacketReceiver receiver = config.transport().openReceiver(config.run().with(socketApi), config.announced());
        return new ReceiveLoop(receiver, accounting(config, capture), onFailure);
    }
}
