package org.lagbench.compression.chunk;

import java.io.IOException;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.packetio.engine.PieceCompression;
import org.lagbench.packetio.engine.TransferLoop;
import org.lagbench.packetio.transport.PacketSender;
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
            return config.transport().openTransferSender(config, introduces);
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
}
