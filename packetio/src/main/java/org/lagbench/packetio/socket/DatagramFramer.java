package org.lagbench.packetio.socket;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.ReceiveBatch;
import org.lagbench.packetio.transport.SocketIo;

/** Treats each datagram as a packet; datagrams whose size differs from the run's packets are foreign. */
public final class DatagramFramer implements PacketFramer {
    private final ReceiveBatch datagrams;
    private final int packetBytes;
    private final @Nullable Arrival arrival;

    /**
     * Creates a framer that receives into a batch.
     *
     * @param arrival null to reply to each packet
     */
    public DatagramFramer(ReceiveBatch datagrams, int packetBytes, @Nullable Arrival arrival) {
        this.datagrams = datagrams;
        this.packetBytes = packetBytes;
        this.arrival = arrival;
    }

    @Override
    public int receive(SocketIo io, PacketAccounting accounting) throws IOException {
        int count = io.receive(datagrams);
        int packets = 0;
        for (int i = 0; i < count; i++) {
            int offset = datagrams.offset(i);
            if (datagrams.bytes(i) != packetBytes) {
                accounting.countForeign();
            } else if (arrival == null && !accounting.isOfRun(datagrams.packets(), offset)) {
                accounting.reject(datagrams.packets(), offset);
            } else {
                long stamp = arrival == null
                        ? io.reply(datagrams.packets(), offset, packetBytes)
                        : arrival.stamp(datagrams.packets(), offset, datagrams.kernelNs(i));
                accounting.packet(datagrams.packets(), offset, datagrams.receivedNs(i), stamp);
                packets++;
            }
        }
        return count == SocketIo.END ? SocketIo.END : packets;
    }
}
