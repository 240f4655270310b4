package org.lagbench.compression.chunk;

import java.io.IOException;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.engine.TransferLoop;
import org.lagbench.packetio.transport.TransferSender;

/** Opens connections that send chunks. All of them share one encoder. */
final class ChunkConnections implements TransferLoop.Connections {
    private final TransferLoop.Connections connections;
    private final ChunkEncoder encoder;

    ChunkConnections(TransferLoop.Connections connections, ChunkEncoder encoder) {
        this.connections = connections;
        this.encoder = encoder;
    }

    @Override
    public TransferSender open(boolean introduces) throws LagbenchException {
        return new ChunkSender(connections.open(introduces), encoder, introduces);
    }

    @Override
    public void close() throws IOException {
        encoder.close();
    }
}
