package org.lagbench.compression.chunk;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.packetio.engine.PieceCompression;
import org.lagbench.packetio.engine.TransferLoop;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;
import org.lagbench.packetio.transport.TransferSender;

/** Compresses the pieces of transfers: each is a chunk. */
public final class ChunkCompression implements PieceCompression {
    @Override
    public void check(CompressionSpec compression) throws LagbenchException {
        ChunkChooser.check(compression);
    }

    @Override
    public TransferLoop.Connections connections(SideConfig config, CompressionSpec compression)
            throws LagbenchException {
        return new Connections(config, ChunkEncoder.open(config, compression));
    }

    private record Connections(SideConfig config, ChunkEncoder encoder) implements TransferLoop.Connections {
        @Override
        public TransferSender open(boolean introduces) throws LagbenchException {
            return PacketTransport.of(config.transport()).openTransferSender(config, introduces);
        }

        @Override
        public PacketSender pieces(TransferSender connection, boolean introduces) {
            return new ChunkSender(connection, encoder, introduces);
        }

        @Override
        public void close() throws IOException {
            encoder.close();
        }
    }

    @Override
    public StreamFramer newFramer(SideConfig config) throws LagbenchException {
        ChunkCapture capture = IoErrors.explained(
                "The capture of chunks cannot be created",
                () -> ChunkCapture.ofReceiver(
                        config.captureFile(), config.point().packets()));
        return new ChunkFramer(config.packetBytes(), config.pieces(), config.receivedBytes(), capture);
    }

    /** Sends the pieces of transfers as chunks over one connection, which its owner closes. */
    static final class ChunkSender implements PacketSender {
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
        ChunkSender(TransferSender connection, ChunkEncoder chunks, boolean introduces) {
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
}
