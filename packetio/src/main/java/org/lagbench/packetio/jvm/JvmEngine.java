package org.lagbench.packetio.jvm;

import java.util.function.Consumer;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.engine.Traffic;
import org.lagbench.core.failure.LagbenchException;
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
        return traffic == Traffic.ONE_WAY && transport instanceof PacketTransport;
    }

    @Override
    public final SendEngine openSender(EngineConfig config, SenderCapture capture) throws LagbenchException {
        return new SendLoop(config.transport().openSender(config.run().with(socketApi)), capture);
    }

    @Override
    public final ReceiveEngine openReceiver(EngineConfig config, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException {
        PacketAccounting accounting =
                new PacketAccounting(config.run().tag(), config.packets(), config.warmUpPackets(), capture);
        PacketReceiver receiver = config.transport().openReceiver(config.run().with(socketApi), config.announced());
        return new ReceiveLoop(receiver, accounting, onFailure);
    }
}
