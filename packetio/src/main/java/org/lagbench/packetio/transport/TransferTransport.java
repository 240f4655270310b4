package org.lagbench.packetio.transport;

import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;

/** A transport that has transfers: blocks of packets over a connection, each answered once. */
public interface TransferTransport extends PacketTransport {
    /**
     * Opens the sending side of a connection for transfers.
     *
     * @param introduces whether the connection begins with the run's tag, so that the receiver accepts it without a
     *     piece; else with the first piece
     * @throws LagbenchException if this machine does not meet a requirement; the message says which, and what to do
     */
    TransferSender openTransferSender(SideConfig run, boolean introduces) throws LagbenchException;

    /**
     * Opens the receiving side of transfers whose pieces are chunks.
     *
     * @param chunks cuts each connection's stream into chunks; closed when receiving ends, or if this fails
     * @throws LagbenchException if this machine does not meet a requirement; the message says which, and what to do
     */
    PacketReceiver openChunkReceiver(SideConfig run, StreamFramer chunks) throws LagbenchException;

    /**
     * Checks that the settings apply to chunks, each of which is sent by one call.
     *
     * @throws LagbenchException if not; the message says which setting, and what to do about it
     */
    void checkChunks(Settings settings) throws LagbenchException;

    /**
     * Returns the transport as one that has transfers.
     *
     * @throws LagbenchException if it has none
     */
    static TransferTransport of(PacketTransport transport) throws LagbenchException {
        if (transport instanceof TransferTransport transfers) {
            return transfers;
        }
        throw ExitCode.USAGE.failure(transport.name() + " has no transfers; the sender sends them.");
    }
}
