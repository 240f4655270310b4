package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.PacketError;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.PacketLayout;

/** The largest datagram that passes to another host and back in one IP packet, by the receiver's echo port. */
public final class PathSize {
    private static final int ATTEMPTS = 3;
    private static final long MIN_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int ROUND_TRIPS = 10;
    private static final int IPV4_HEADERS_BYTES = 20 + 8;
    private static final int IPV6_HEADERS_BYTES = 40 + 8;

    private final DatagramChannel channel;
    private final Selector selector;
    private final ByteBuffer received = ByteBuffer.allocate(IoSettings.MAXIMUM_DATAGRAM_BYTES + 1);
    private long timeoutNs = TimeUnit.SECONDS.toNanos(1);

    private PathSize(DatagramChannel channel, Selector selector) {
        this.channel = channel;
        this.selector = selector;
    }

    /**
     * Bisects the size. Takes a moment for each size that does not pass and that no router reports. It is at most the
     * size above which this host's kernel fragments datagrams: a tunnel reports its MTU, and fragments larger probes.
     *
     * @param address of the host with the echo port
     * @return the largest number of bytes; 0 if none came back now
     * @throws LagbenchException if the native library cannot be loaded
     */
    public static int find(InetSocketAddress address) throws IOException, LagbenchException {
        boolean isIpv4 = address.getAddress().getAddress().length == Integer.BYTES;
        try (DatagramChannel channel =
                        DatagramChannel.open(isIpv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
                Selector selector = Selector.open()) {
            channel.connect(address);
            try (LinuxSocket socket = LinuxSockets.open(channel)) {
                socket.probeMtu();
            }
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            int passes = new PathSize(channel, selector).bisect();
            int mtuBytes = LinuxSockets.pathMtuBytes(channel);
            return mtuBytes == 0
                    ? passes
                    : Math.min(passes, mtuBytes - (isIpv4 ? IPV4_HEADERS_BYTES : IPV6_HEADERS_BYTES));
        }
    }

    private int bisect() throws IOException {
        long beginNs = System.nanoTime();
        int passes = PacketLayout.HEADER_BYTES;
        if (!passes(passes)) {
            return 0;
        }
        timeoutNs = Math.max(MIN_TIMEOUT_NS, ROUND_TRIPS * (System.nanoTime() - beginNs));
        int tooLarge = IoSettings.MAXIMUM_DATAGRAM_BYTES + 1;
        while (tooLarge - passes > 1) {
            int middle = passes + (tooLarge - passes) / 2;
            if (passes(middle)) {
                passes = middle;
            } else {
                tooLarge = middle;
            }
        }
        return passes;
    }

    /** Returns whether a datagram of a size comes back. */
    private boolean passes(int bytes) throws IOException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try {
                channel.write(ByteBuffer.allocate(bytes));
                if (comesBack(bytes)) {
                    return true;
                }
            } catch (IOException e) {
                if (PacketError.of(e) == null) { // a packet error may be that of an earlier datagram
                    throw e;
                }
            }
        }
        return false;
    }

    private boolean comesBack(int bytes) throws IOException {
        long deadlineNs = System.nanoTime() + timeoutNs;
        for (long leftNs = timeoutNs; leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
            selector.select(key -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs)));
            if (channel.read(received.clear()) > 0 && received.position() == bytes) {
                return true;
            }
        }
        return false;
    }
}
