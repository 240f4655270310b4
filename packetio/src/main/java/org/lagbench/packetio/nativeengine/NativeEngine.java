package org.lagbench.packetio.nativeengine;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.engine.Traffic;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Observation;
import org.lagbench.core.transport.Transport;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.jni.NativeFiles;
import org.lagbench.packetio.linux.LinuxSockets;

/** The engine {@code c}: a process of lagbench-engine (src/main/engine) on each side, controlled by this process. */
public final class NativeEngine implements PacketEngine {
    private static final NativeFiles FILES =
            new NativeFiles(LinuxSockets.DIRECTORY_PROPERTY, NativeEngine.class, "packetio", "engine: c");

    @Override
    public String name() {
        return "c";
    }

    @Override
    public int tableOrder() {
        return 2;
    }

    @Override
    public boolean runsOnJvm() {
        return false;
    }

    @Override
    public boolean serves(Transport transport, Traffic traffic) {
        return transport.usesSockets() && traffic == Traffic.ONE_WAY;
    }

    @Override
    public boolean records(Observation observation) {
        return observation != Observation.STAGES;
    }

    @Override
    public @Nullable LagbenchException unavailableReason(Transport transport) {
        try {
            program();
            return null;
        } catch (LagbenchException e) {
            return e;
        }
    }

    /** The process starts when the sender connects. */
    @Override
    public SendEngine openSender(EngineConfig config, SenderCapture capture) throws LagbenchException {
        return new NativeSendEngine(program(), config, capture);
    }

    @Override
    public ReceiveEngine openReceiver(EngineConfig config, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException {
        return new NativeReceiveEngine(program(), config, capture, onFailure);
    }

    private static Path program() throws LagbenchException {
        return FILES.file("lagbench-engine");
    }
}
