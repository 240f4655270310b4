package org.lagbench.engines.message;

import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.ReceiveLoop;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.engine.SendLoop;
import org.lagbench.packetio.engine.TransferLoop;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/**
 * An engine that moves each packet as one message of a communication interface, in this process. Pacing, stamps,
 * captures and counts are those of the other engines. Subclasses load the classes of their interface only when a side
 * is opened.
 */
public abstract class InterfaceEngine implements PacketEngine {
    private final String name;
    private final int tableOrder;
    private final Set<String> transportSettings;

    /** @param transportSettings names of the settings of transports that the interface supports */
    protected InterfaceEngine(String name, int tableOrder, Set<String> transportSettings) {
        this.name = name;
        this.tableOrder = tableOrder;
        this.transportSettings = Set.copyOf(transportSettings);
    }

    /** Returns whether the interface can send packets over a transport; the default is TCP. */
    protected boolean carries(Transport transport) {
        return transport.usesSockets() && transport.isConnectionOriented();
    }

    /** Returns whether a receiver can answer each transfer over a transport that the interface can use. */
    protected boolean answersTransfers(Transport transport) {
        return false;
    }

    /** Opens the sending side. */
    protected abstract PacketSender openSender(SideConfig run) throws LagbenchException;

    /** Opens the receiving side. */
    protected abstract PacketReceiver openReceiver(SideConfig run) throws LagbenchException;

    /**
     * Opens the sending side of a connection for transfers.
     *
     * @param introduces see {@link org.lagbench.packetio.transport.TransferTransport#openTransferSender}
     */
    protected TransferSender openTransferSender(SideConfig run, boolean introduces) throws LagbenchException {
        throw new UnsupportedOperationException("engine: " + name + " has no transfers");
    }

    /**
     * Opens the receiving side of transfers.
     *
     * @param pieces number of packets in each transfer
     * @param bytes receives the bytes of each message; the caller closes it
     */
    protected PacketReceiver openTransferReceiver(SideConfig run, long pieces, ReceivedBytesCapture bytes)
            throws LagbenchException {
        throw new UnsupportedOperationException("engine: " + name + " has no transfers");
    }

    /** Returns what creates the thread that calls {@link PacketReceiver#receive}. */
    protected ThreadFactory receivingThreads() throws LagbenchException {
        return ReceiveLoop.THREADS;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int tableOrder() {
        return tableOrder;
    }

    @Override
    public final boolean runsOnJvm() {
        return true;
    }

    @Override
    public final boolean serves(Transport transport, Traffic traffic) {
        boolean servesTraffic =
                switch (traffic) {
                    case ONE_WAY, ROUND_TRIP -> true;
                    case TRANSFER -> answersTransfers(transport);
                };
        return servesTraffic && transport instanceof PacketTransport && carries(transport);
    }

    /** Returns false: interfaces hide their sockets, whose kernel stamps the stages need. */
    @Override
    public final boolean records(Observation observation) {
        return observation != Observation.STAGES;
    }

    @Override
    public void check(Transport transport, Settings settings) throws LagbenchException {
        SocketSettings.refuseOthers(this, transport, settings, transportSettings);
    }

    @Override
    public @Nullable LagbenchException unavailableReason(Transport transport) {
        return null;
    }

    @Override
    public SendEngine openSender(SideConfig config, SenderCapture capture) throws LagbenchException {
        if (config.traffic().kind() == Traffic.TRANSFER) {
            return TransferLoop.open(
                    config, capture, introduces -> TransferLoop.Connection.of(openTransferSender(config, introduces)));
        }
        return SendLoop.of(openSender(config), config, capture);
    }

    @Override
    public ReceiveEngine openReceiver(SideConfig config, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException {
        PacketAccounting accounting = accounting(config, capture);
        if (config.traffic().kind() == Traffic.TRANSFER) {
            return ReceiveLoop.ofTransfers(
                    config,
                    accounting,
                    onFailure,
                    receivingThreads(),
                    (pieces, bytes) -> openTransferReceiver(config, pieces, bytes));
        }
        PacketReceiver receiver = openReceiver(config);
        return new ReceiveLoop(receiver, accounting, onFailure, receivingThreads());
    }

    private static PacketAccounting accounting(SideConfig config, ReceiverCapture capture) {
        return new PacketAccounting(config.tag(), config.phases(), capture);
    }
}
