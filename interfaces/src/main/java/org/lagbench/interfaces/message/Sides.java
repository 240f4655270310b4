package org.lagbench.interfaces.message;

import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.settings.Settings;
import org.lagbench.packetio.socket.TransferPieces;
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
     * @throws LagbenchException if it does not: why, and what to do about it
     */
    void checkMachine(Settings settings) throws LagbenchException;

    /** Opens the sending side. */
    PacketSender openSender(PacketTransport transport, TransportRun run) throws LagbenchException;

    /** Opens the receiving side. */
    PacketReceiver openReceiver(PacketTransport transport, TransportRun run) throws LagbenchException;

    /**
     * Opens the sending side of a connection for transfers, if the interface moves them.
     *
     * @param introduces see {@link PacketTransport#openTransferSender}
     */
    default TransferSender openTransferSender(PacketTransport transport, TransportRun run, boolean introduces)
            throws LagbenchException {
        throw new UnsupportedOperationException("there are no transfers");
    }

    /**
     * Opens the receiving side of transfers, if the interface moves them.
     *
     * @param pieces records what is received
     */
    default PacketReceiver openTransferReceiver(PacketTransport transport, TransportRun run, TransferPieces pieces)
            throws LagbenchException {
        throw new UnsupportedOperationException("there are no transfers");
    }
}
