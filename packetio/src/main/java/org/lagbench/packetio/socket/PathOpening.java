package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.SideConfig;

/**
 * The UDP port of a sender whose receiver has requested the run. The receiver may be behind a NAT or firewall that lets
 * packets in only from where it has sent packets to. So it first sends packets with the run's tag from its data port,
 * and the sender sends to their source. One thread awaits them; any thread may close.
 *
 * <p>The port has SO_REUSEPORT, so that an engine with its own socket binds and connects that one before this closes.
 */
public final class PathOpening implements AutoCloseable {
    /** How many packets the receiver sends: several, because some may be lost. */
    public static final int COPIES = 3;

    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private final DatagramChannel channel;
    private final InetSocketAddress local;
    private final long tag;

    private PathOpening(DatagramChannel channel, InetSocketAddress local, long tag) {
        this.channel = channel;
        this.local = local;
        this.tag = tag;
    }

    /**
     * Opens the port of a sender; returns null if the receiver has not requested the run, or the run has transfers,
     * each of which may have a new connection.
     */
    public static @Nullable PathOpening listen(SideConfig run) throws LagbenchException {
        String host = run.listensAt();
        if (host == null || run.hasTransfers()) {
            return null;
        }
        DataPort free = DataPort.listening(run);
        DatagramChannel channel = null;
        try {
            channel = DatagramChannel.open(free.family());
            channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            Sockets.bindToDevice(channel, run);
            channel.bind(free.address());
            return new PathOpening(channel, DataPort.boundTo(channel), run.tag());
        } catch (IOException | UnsupportedOperationException e) {
            Sockets.close(channel);
            throw ExitCode.UNAVAILABLE.failure(
                    "Cannot open a UDP port on " + host + ": " + IoErrors.reason(e) + ".", e);
        }
    }

    /**
     * Returns the port of the sender to which a receiver sends the first packets, with {@link #packet} as content, or
     * connects; null if it has not requested the run.
     */
    public static @Nullable InetSocketAddress target(SideConfig receiver) throws LagbenchException {
        Map<String, String> announced = receiver.announced();
        return DataPort.isAnnounced(announced)
                ? DataPort.announced(announced.getOrDefault(DataPort.HOST, receiver.host()), announced)
                        .address()
                : null;
    }

    /** Returns the content of the first packets. */
    public static ByteBuffer packet(long tag) {
        return ByteBuffer.allocate(Long.BYTES).putLong(tag).flip();
    }

    /** Returns the announcement of the local address and port, for the receiver. */
    public Map<String, String> announce() {
        return DataPort.announce(local);
    }

    /** Returns the local address and port of the socket. */
    public InetSocketAddress local() {
        return local;
    }

    /** Returns the socket, for an engine that sends from it. */
    public DatagramChannel channel() {
        return channel;
    }

    /**
     * Returns the source of the receiver's first packet, which it has sent before it accepts the run; the announced
     * port if no packet arrives within a second.
     */
    public InetSocketAddress await(InetSocketAddress announced) throws IOException {
        InetSocketAddress source = null;
        try (Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            long deadlineNs = System.nanoTime() + TIMEOUT_NS;
            for (long leftNs = TIMEOUT_NS; source == null && leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
                selector.select(key -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs)));
                source = receiveAll(announced);
            }
        }
        channel.configureBlocking(true);
        return source == null ? announced : source;
    }

    /** Takes the packets that have arrived. Returns the source of those with the tag; null if there are none. */
    private @Nullable InetSocketAddress receiveAll(InetSocketAddress announced) throws IOException {
        ByteBuffer packet = ByteBuffer.allocate(Long.BYTES + 1);
        InetSocketAddress found = null;
        while (channel.receive(packet.clear()) instanceof InetSocketAddress source) {
            boolean isOpening = packet.position() == Long.BYTES && packet.getLong(0) == tag;
            found = isOpening && source.getAddress().equals(announced.getAddress()) ? source : found;
        }
        return found;
    }

    @Override
    public void close() {
        Sockets.close(channel);
    }
}
