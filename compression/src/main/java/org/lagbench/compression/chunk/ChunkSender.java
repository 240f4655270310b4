package org.lagbench.compression.chunk;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.TransferSender;

/** Sends the pieces of transfers as chunks over one connection, which its owner closes. */
public final class ChunkSender implements PacketSender {
    private final TransferSender connection;
    private final ChunkEncoder chunks;
    private final long[] stamps = new long[2];

    /** The number of bytes of the next chunk that were already sent to introduce the connection. */
    private int prefixBytes;

    /**
     * Creates a sender of one connection.
     *
     * @param introduces whether the connection begins with the run's tag, the first bytes of the first chunk
     */
    public ChunkSender(TransferSender connection, ChunkEncoder chunks, boolean introduces) {
        this.connection = connection;
        this.chunks = chunks;
        this.prefixBytes = introduces ? Long.BYTES : 0;
    }

    @Override
    public void connect(Map<String, String> receiverAnnounced) throws LagbenchException {
        connection.connect(receiverAnnounced);
        try {
            if (prefixBytes > 0) {
                chunks.check(connection);
            }
            chunks.begin(prefixBytes);
        } catch (IOException e) {
            throw IoErrors.toException("The chunks of the connection cannot be compressed", e);
        }
    }

    @Override
    public void send(long sequence, long scheduledNs, SenderCapture capture) throws IOException {
        chunks.send(sequence, connection, prefixBytes, stamps);
        prefixBytes = 0;
        capture.append(sequence, scheduledNs, stamps[0], stamps[1]);
    }

    /** Does nothing: each chunk is sent by its own call. */
    @Override
    public void flush() {}

    @Override
    public Map<String, Object> metadata() {
        Map<String, Object> metadata = new HashMap<>(connection.metadata());
        metadata.putAll(chunks.metadata());
        return metadata;
    }

    /** Does nothing: the connection's owner closes it. */
    @Override
    public void close() {}
}
