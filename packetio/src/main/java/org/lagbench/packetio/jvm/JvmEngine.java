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
import org.lagbench.packetio.transport.Calls;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketTransport;

/** An engine that sends and receives in this process, by these calls. */
abstract class JvmEngine implements PacketEngine {
    private final Calls calls;

    JvmEngine(Calls calls) {
        this.calls = calls;
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
        return new SendLoop(config.transport().openSender(config.run().with(calls)), capture);
    }

    @Override
    public final ReceiveEngine openReceiver(EngineConfig config, ReceiverCapture capture, Consumer<String> failed)
            throws LagbenchException {
        PacketAccounting arrivals =
                new PacketAccounting(config.run().tag(), config.packets(), config.warmUpPackets(), capture);
        PacketReceiver receiver = config.transport().openReceiver(config.run().with(calls), config.announced());
        return new ReceiveLoop(receiver, arrivals, failed);
    }
}
