package org.lagbench.packetio.udp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.PacketError;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.Sockets;

/**
 * Opens the path of a run whose receiver has requested the sender. The receiver may be behind a NAT or firewall that
 * lets packets in only from where it has sent packets to. So it first sends packets with the run's tag from its data
 * port, and the sender sends to their source.
 */
final class PathOpening {
    private static final int COPIES = 3;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private PathOpening() {}

    /** Opens the sender's socket at a free port of an address. */
    static DatagramChannel listen(String host) throws IOException, LagbenchException {
        DataPort local = DataPort.ephemeral(host);
        DatagramChannel socket = DatagramChannel.open(local.family());
        try {
            return socket.bind(local.address());
        } catch (IOException e) {
            Sockets.close(socket);
            throw e;
        }
    }

    /** Sends the first packets, of which some may be lost, to the sender's port. */
    static void send(DatagramChannel from, InetSocketAddress to, long tag) throws IOException {
        for (int copy = 0; copy < COPIES; copy++) {
            try {
                from.send(ByteBuffer.allocate(Long.BYTES).putLong(tag).flip(), to);
            } catch (IOException e) {
                if (PacketError.of(e) == null) {
                    throw e;
                }
            }
        }
    }

    /**
     * Returns the source of the receiver's first packet, which it has sent before it accepts the run; the announced
     * port if no packet arrives within a second.
     */
    static InetSocketAddress await(DatagramChannel at, InetSocketAddress announced, long tag) throws IOException {
        InetSocketAddress source = null;
        try (Selector selector = Selector.open()) {
            at.configureBlocking(false);
            at.register(selector, SelectionKey.OP_READ);
            long deadlineNs = System.nanoTime() + TIMEOUT_NS;
            for (long leftNs = TIMEOUT_NS; source == null && leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
                selector.select(key -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs)));
                source = receiveAll(at, announced, tag);
            }
        }
        at.configureBlocking(true);
        return source == null ? announced : source;
    }

    /** Takes the packets that have arrived. Returns the source of those with the tag; null if there are none. */
    private static @Nullable InetSocketAddress receiveAll(DatagramChannel at, InetSocketAddress announced, long tag)
            throws IOException {
        ByteBuffer packet = ByteBuffer.allocate(Long.BYTES + 1);
        InetSocketAddress found = null;
        while (at.receive(packet.clear()) instanceof InetSocketAddress source) {
            boolean isOpening = packet.position() == Long.BYTES && packet.getLong(0) == tag;
            found = isOpening && source.getAddress().equals(announced.getAddress()) ? source : found;
        }
        return found;
    }
}
