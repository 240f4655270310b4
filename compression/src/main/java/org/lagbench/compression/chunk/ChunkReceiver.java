package org.lagbench.compression.chunk;

import java.io.IOException;
import java.util.Map;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/** Receives transfers whose pieces are chunks; closes the capture of chunks when receiving ends. */
public final class ChunkReceiver implements PacketReceiver {
    private final PacketReceiver receiver;
    private final ChunkFramer framer;

    private ChunkReceiver(PacketReceiver receiver, ChunkFramer framer) {
        this.receiver = receiver;
        this.framer = framer;
    }

    /**
     * Opens a receiver.
     *
     * @param framer the receiver closes it; this method closes it if it cannot open the receiver
     */
    public static ChunkReceiver open(PacketTransport transport, ChunkFramer framer, TransportRun run)
            throws LagbenchException, IOException {
        boolean isOpen = false;
        try {
            ChunkReceiver receiver = new ChunkReceiver(transport.openTransferReceiver(run, framer), framer);
            isOpen = true;
            return receiver;
        } finally {
            if (!isOpen) {
                framer.close();
            }
        }
    }

    /** Closes the framer after the last packet or an error, because only the receiving thread writes the capture. */
    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        boolean canContinue = false;
        try {
            int received = receiver.receive(accounting);
            canContinue = received != END;
            return received;
        } finally {
            if (!canContinue) {
                framer.close();
            }
        }
    }

    @Override
    public Map<String, String> announce() {
        return receiver.announce();
    }

    @Override
    public long kernelDrops() {
        return receiver.kernelDrops();
    }

    @Override
    public Map<String, Object> metadata() {
        return receiver.metadata();
    }

    @Override
    public void endStages() throws IOException {
        receiver.endStages();
    }

    @Override
    public void close() {
        receiver.close();
    }
}
