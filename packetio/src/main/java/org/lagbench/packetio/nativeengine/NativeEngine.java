package org.lagbench.packetio.nativeengine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.transport.Transport;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.engine.TransferPlan;
import org.lagbench.packetio.jni.NativeFiles;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.socket.TransferRecorder;

/** The engine {@code c}: a process of lagbench-engine (src/main/engine) on each side, controlled by this process. */
public final class NativeEngine implements PacketEngine {
    private static final NativeFiles FILES =
            new NativeFiles(LinuxSockets.DIRECTORY_PROPERTY, NativeEngine.class, "packetio", "engine: c");

    @Override
    public String name() {
        return "c";
    }

    @Override
    public String title() {
        return "C engine";
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
        return transport.usesSockets() && (traffic != Traffic.TRANSFER || transport.isConnectionOriented());
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
        Path program = program();
        try {
            return new NativeSendEngine(
                    program, config, capture, isTransfer(config) ? TransferRecorder.of(config.captureFile()) : null);
        } catch (IOException e) {
            throw IoErrors.toException("The files of the transfers cannot be created", e);
        }
    }

    @Override
    public ReceiveEngine openReceiver(EngineConfig config, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException {
        Path program = program();
        try {
            ReceivedBytesCapture bytes = isTransfer(config) ? TransferPlan.createCapture(config) : null;
            try {
                return new NativeReceiveEngine(program, config, capture, bytes, onFailure);
            } catch (LagbenchException e) {
                if (bytes != null) {
                    bytes.close();
                }
                throw e;
            }
        } catch (IOException e) {
            throw IoErrors.toException("the capture of received bytes cannot be created", e);
        }
    }

    private static boolean isTransfer(EngineConfig config) {
        return config.traffic().kind() == Traffic.TRANSFER;
    }

    private static Path program() throws LagbenchException {
        return FILES.file("lagbench-engine");
    }
}
