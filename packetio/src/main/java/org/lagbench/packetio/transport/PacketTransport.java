package org.lagbench.packetio.transport;

import java.util.Set;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;

/**
 * A transport over which this process can send and receive. A new transport implements this interface with a
 * {@link PacketSender} and a {@link PacketReceiver}; {@link Transport} describes how to register it.
 */
public interface PacketTransport extends Transport {
    /** Returns the names of the settings that need system calls: channels support only their defaults. */
    default Set<String> systemCallSettings() {
        return Set.of();
    }

    /**
     * Opens the sending side and reserves what it needs before the receiver opens, such as a channel and bandwidth.
     *
     * @throws LagbenchException if this machine does not meet a requirement; the message says which, and what to do
     */
    PacketSender openSender(SideConfig run) throws LagbenchException;

    /**
     * Opens the receiving side.
     *
     * @throws LagbenchException if this machine does not meet a requirement; the message says which, and what to do
     */
    PacketReceiver openReceiver(SideConfig run) throws LagbenchException;

    /**
     * Opens the sending side of a connection for transfers: blocks of packets, each answered once.
     *
     * @param introduces whether the connection begins with the run's tag, so that the receiver accepts it without a
     *     piece; else with the first piece
     * @throws LagbenchException if it has no transfers, or this machine does not meet a requirement; the message says
     *     which, and what to do
     */
    default TransferSender openTransferSender(SideConfig run, boolean introduces) throws LagbenchException {
        throw noTransfers();
    }

    /**
     * Opens the receiving side of transfers whose pieces are chunks.
     *
     * @param chunks cuts each connection's stream into chunks; closed when receiving ends, or if this fails
     * @throws LagbenchException as {@link #openTransferSender} does
     */
    default PacketReceiver openChunkReceiver(SideConfig run, StreamFramer chunks) throws LagbenchException {
        throw noTransfers();
    }

    /**
     * Checks that the settings apply to chunks, each of which is sent by one call.
     *
     * @throws LagbenchException if not; the message says which setting, and what to do about it
     */
    default void checkChunks(Settings settings) throws LagbenchException {
        throw noTransfers();
    }

    private LagbenchException noTransfers() {
        return ExitCode.USAGE.failure(name() + " has no transfers; the sender sends them.");
    }

    /**
     * Returns the transport as a PacketTransport.
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
