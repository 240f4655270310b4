package org.lagbench.packetio.engine;

import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.Engine;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/**
 * An engine that moves packets in this process. Pacing, stamps, captures and counts are the same for all; a subclass
 * opens what sends and receives.
 */
public abstract class InProcessEngine implements PacketEngine {
    private final String name;
    private final int order;

    protected InProcessEngine(String name, int order) {
        this.name = name;
        this.order = order;
    }

    /**
     * Opens the sending side, of one connection if the traffic is transfers.
     *
     * @param introduces whether a connection begins with the run's tag, so that the receiver accepts it without a
     *     packet; else with the first packet
     * @return a {@link TransferSender} for transfers
     */
    protected abstract PacketSender openSender(SideConfig run, boolean introduces) throws LagbenchException;

    /** Opens the receiving side. */
    protected abstract PacketReceiver openReceiver(SideConfig run) throws LagbenchException;

    /** Returns the factory of connections for transfers. */
    protected TransferLoop.Connections connections(SideConfig run) throws LagbenchException {
        return introduces -> (TransferSender) openSender(run, introduces);
    }

    /** Returns the factory of the thread that calls {@link PacketReceiver#receive}. */
    protected ThreadFactory receivingThreads() throws LagbenchException {
        return ReceiveLoop.THREADS;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int order() {
        return order;
    }

    @Override
    public final boolean runsOnJvm() {
        return true;
    }

    @Override
    public @Nullable LagbenchException unavailableReason(Transport transport) {
        return null;
    }

    @Override
    public SendEngine openSender(SideConfig config, SenderCapture capture) throws LagbenchException {
        return config.hasTransfers()
                ? new TransferLoop(config, capture, connections(config))
                : new SendLoop(openSender(config, true), config, capture);
    }

    @Override
    public ReceiveEngine openReceiver(SideConfig config, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException {
        PacketAccounting accounting = config.accounting(capture);
        return new ReceiveLoop(openReceiver(config), accounting, onFailure, receivingThreads());
    }

    /**
     * Checks that a transport's settings other than those that an engine supports have their defaults.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} and the name of the first setting that has not
     */
    public static void refuseOthers(Engine engine, Transport transport, Settings settings, Set<String> supported)
            throws LagbenchException {
        for (Parameter<?> setting : transport.settings()) {
            String value = settings.word(setting.name());
            if (!supported.contains(setting.name()) && !setting.absentText().equals(value)) {
                throw ExitCode.USAGE.failure(
                        "engine: " + engine.name() + " does not support " + transport.name() + "." + setting.name()
                                + ": " + value + "; set it to " + setting.absentText() + ", or use another engine.");
            }
        }
    }
}
