package org.lagbench.packetio.transport;

import java.util.Map;
import java.util.Set;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;

/**
 * A transport over which this process can send and receive. A new transport implements this interface with a
 * {@link PacketSender} and a {@link PacketReceiver}; {@link Transport} describes how to register it.
 */
public interface PacketTransport extends Transport {
    /**
     * Returns how many packets must follow a packet so that the end of the stream does not affect its lag. The default
     * for a flood is about as many as a receive buffer holds: the sender still sends while the receiver reads the
     * packet. The default for a paced stream is enough for TCP to detect a lost segment by the next ones (RFC 8985).
     */
    default long leadOutPackets(int packetBytes, Settings settings, boolean flood) {
        return flood ? Math.max(1, Math.min(1_000, (1 << 18) / packetBytes)) : 16;
    }

    /** Returns the names of the settings that need system calls: channels support only their defaults. */
    default Set<String> systemCallSettings() {
        return Set.of();
    }

    /**
     * Opens the sending side and reserves what it needs before the receiver opens, such as a channel and bandwidth.
     *
     * @throws LagbenchException if this machine lacks a requirement; the message says which, and what to do
     */
    PacketSender openSender(TransportRun run) throws LagbenchException;

    /**
     * Opens the receiving side.
     *
     * @param senderAnnounced what the sender's {@link PacketSender#announce()} returned
     * @throws LagbenchException if this machine lacks a requirement; the message says which, and what to do
     */
    PacketReceiver openReceiver(TransportRun run, Map<String, String> senderAnnounced) throws LagbenchException;

    /** Returns whether transfers can be sent: blocks of packets over a connection, each answered once. */
    default boolean servesTransfers() {
        return false;
    }

    /**
     * Opens the sending side of a connection for transfers, if the transport {@linkplain #servesTransfers serves them}.
     *
     * @param introduces whether the connection begins with the run's tag, so that the receiver accepts it without a
     *     piece; else with the first piece
     * @throws LagbenchException if this machine lacks a requirement; the message says which, and what to do
     */
    default TransferSender openTransferSender(TransportRun run, boolean introduces) throws LagbenchException {
        throw new UnsupportedOperationException(name() + " has no transfers");
    }

    /**
     * Opens the receiving side of transfers, if the transport {@linkplain #servesTransfers serves them}.
     *
     * @param pieces number of packets in each transfer
     * @param capture receives the bytes of each receive call; the caller closes it
     * @throws LagbenchException if this machine lacks a requirement; the message says which, and what to do
     */
    default PacketReceiver openTransferReceiver(TransportRun run, long pieces, ReceivedBytesCapture capture)
            throws LagbenchException {
        throw new UnsupportedOperationException(name() + " has no transfers");
    }

    /** Returns whether the pieces of transfers may be chunks, whose sizes differ: see {@link TransferSender#write}. */
    default boolean servesChunks() {
        return false;
    }

    /**
     * Checks that the settings apply to chunks. Both interfaces of {@link SocketApi} send a chunk by one call of a
     * channel.
     *
     * @throws LagbenchException if not; the message says which setting, and what to do about it
     */
    default void checkChunks(Settings settings) throws LagbenchException {}

    /**
     * Opens the receiving side of transfers, if the transport {@linkplain #servesChunks serves chunks}.
     *
     * @param framer cuts each connection's stream into pieces
     * @throws LagbenchException if this machine lacks a requirement; the message says which, and what to do
     */
    default PacketReceiver openTransferReceiver(TransportRun run, TransferFramer framer) throws LagbenchException {
        throw new UnsupportedOperationException(name() + " has no chunks");
    }

    /**
     * Returns the transport as one over which packets can be sent.
     *
     * @throws IllegalArgumentException if it is only a description
     */
    static PacketTransport of(Transport transport) {
        if (transport instanceof PacketTransport packetTransport) {
            return packetTransport;
        }
        throw new IllegalArgumentException("no packets can be sent over " + transport.name());
    }
}
