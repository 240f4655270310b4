package org.lagbench.engines.message;

import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransferSender;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Opens the sides of an interface that needs {@link Libraries}. Implementations are public classes with a public
 * constructor without arguments.
 */
public interface Sides {
    /**
     * Checks that this machine supports the settings of a run.
     *
     * @throws LagbenchException if it does not; the message says why, and what to do about it
     */
    void checkMachine(Settings settings) throws LagbenchException;

    /** Opens the sending side. */
    PacketSender openSender(PacketTransport transport, TransportRun run) throws LagbenchException;

    /** Opens the receiving side. */
    PacketReceiver openReceiver(PacketTransport transport, TransportRun run) throws LagbenchException;

    /**
     * Opens the sending side of a connection for transfers, if the engine serves them.
     *
     * @param introduces see {@link InterfaceEngine#openTransferSender}
     */
    default TransferSender openTransferSender(PacketTransport transport, TransportRun run, boolean introduces)
            throws LagbenchException {
        throw new UnsupportedOperationException("no transfers");
    }

    /**
     * Opens the receiving side of transfers, if the engine serves them.
     *
     * @param pieces number of packets in each transfer
     * @param bytes receives the bytes of each message; the caller closes it
     */
    default PacketReceiver openTransferReceiver(
            PacketTransport transport, TransportRun run, long pieces, ReceivedBytesCapture bytes)
            throws LagbenchException {
        throw new UnsupportedOperationException("no transfers");
    }
}
