package org.lagbench.compression.chunk;

import java.io.IOException;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.PieceCompression;
import org.lagbench.packetio.engine.TransferLoop;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.TransportRun;

/** Compresses the pieces of transfers: each is a chunk. */
public final class ChunkCompression implements PieceCompression {
    @Override
    public void check(CompressionSpec compression) throws LagbenchException {
        Choosers.check(compression);
    }

    @Override
    public TransferLoop.Connections compress(
            EngineConfig config, CompressionSpec compression, TransferLoop.Connections connections)
            throws LagbenchException {
        return new ChunkConnections(connections, ChunkEncoder.open(config, compression));
    }

    @Override
    public PacketReceiver openReceiver(EngineConfig config, TransportRun run, long chunks, ReceivedBytesCapture bytes)
            throws LagbenchException {
        try {
            return ChunkReceiver.open(
                    config.transport(),
                    new ChunkFramer(
                            run, chunks, bytes, ChunkCapture.ofReceiver(config.captureFile(), config.packets())),
                    run);
        } catch (IOException e) {
            throw IoErrors.toException("The capture of chunks cannot be created", e);
        }
    }
}
