package org.lagbench.packetio.nativeengine;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.socket.PathOpening;
import org.lagbench.packetio.socket.TransferRecorder;
import org.lagbench.packetio.transport.SideConfig;

/**
 * An engine that is a process of a program on each side, controlled by this process. The program has the arguments and
 * the protocol of lagbench-engine (src/main/engine/options.h and protocol.h).
 */
public abstract class ProgramEngine implements PacketEngine {
    /**
     * Returns the path of the program.
     *
     * @throws LagbenchException if it does not exist; the message states the remedy
     */
    protected abstract Path program() throws LagbenchException;

    /**
     * Returns what the program needs besides the settings and the other arguments of lagbench-engine.
     *
     * @throws LagbenchException if the run is not possible; the message says why, and what to do
     */
    protected List<String> arguments(SideConfig config) throws LagbenchException {
        return List.of();
    }

    /** Returns whether its senders wait for receivers that connect, as one behind a NAT can. */
    protected boolean acceptsReceivers(Transport transport) {
        return transport.wire().isStream() && bindsSenders();
    }

    @Override
    public final boolean runsOnJvm() {
        return false;
    }

    @Override
    public final @Nullable LagbenchException unavailableReason(Transport transport) {
        try {
            program();
            return null;
        } catch (LagbenchException e) {
            return e;
        }
    }

    /** The process starts when the sender connects. */
    @Override
    public final SendEngine openSender(SideConfig config, SenderCapture capture) throws LagbenchException {
        Path program = program();
        config.transport().checkSender(config.settings());
        TransferRecorder recorder = config.hasTransfers()
                ? TransferRecorder.of(config.captureFile(), config.transfers().count())
                : null;
        PathOpening opening = config.transport().wire() == Wire.UDP ? PathOpening.listen(config) : null;
        NativeSendEngine engine = new NativeSendEngine(program, config, arguments(config), capture, recorder, opening);
        if (config.receiverConnects() && acceptsReceivers(config.transport())) {
            engine.listen();
        }
        return engine;
    }

    @Override
    public final ReceiveEngine openReceiver(SideConfig config, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException {
        return new NativeReceiveEngine(program(), config, arguments(config), capture, onFailure);
    }
}
