package org.lagbench.packetio.socket;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.run.PacketError;
import org.lagbench.packetio.transport.PacketErrorCounts;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.ReceiveBatch;
import org.lagbench.packetio.transport.SendBatch;
import org.lagbench.packetio.transport.SocketIo;

/** Sends and receives through channels. Java reads the clock around each call. */
final class ChannelIo implements SocketIo {
    private final ByteChannel channel;
    private final @Nullable DatagramChannel datagrams;
    private volatile @Nullable Waiting waiting;

    /** The source of the last datagram; null if the socket is connected. */
    private @Nullable SocketAddress source;

    /** The only source of datagrams; null for any. */
    private @Nullable InetAddress onlyHost;

    private @Nullable ByteBuffer replied;
    private ByteBuffer reply = ByteBuffer.allocate(0);

    private final int writes;
    private final PacketErrorCounts errors = new PacketErrorCounts();

    ChannelIo(ByteChannel channel, int writes) {
        this.channel = channel;
        this.writes = writes;
        this.datagrams = channel instanceof DatagramChannel datagramChannel ? datagramChannel : null;
    }

    @Override
    public int send(SendBatch packets) throws IOException {
        int count = packets.count();
        packets.beforeCall();
        ByteBuffer buffer = packets.buffer();
        int end = buffer.limit();
        int part = (packets.packetBytes() + writes - 1) / writes;
        if (datagrams != null) {
            sendDatagram(datagrams, null, buffer);
            packets.afterCall();
            return count;
        }
        do {
            int at = buffer.position() - packets.offset();
            buffer.limit(writes == 1 ? end : Math.min(end, packets.offset() + (at / part + 1) * part));
            channel.write(buffer);
        } while (buffer.position() < end);
        packets.afterCall();
        return count;
    }

    @Override
    public int receive(ReceiveBatch into) throws IOException {
        ByteBuffer buffer = into.packets();
        if (datagrams != null) {
            return receiveDatagram(datagrams, into);
        }
        int bytes = channel.read(buffer);
        into.received(bytes, RealtimeClock.nowNs());
        return bytes < 0 ? END : 1;
    }

    private int receiveDatagram(DatagramChannel from, ReceiveBatch into) throws IOException {
        Waiting limit = waiting;
        if (limit != null && !limit.await()) {
            return 0;
        }
        try {
            source = from.receive(into.packets().clear());
        } catch (IOException e) {
            PacketError error = PacketError.of(e);
            if (error == null || !error.isReported()) {
                throw e;
            }
            errors.countRetried(error, 1);
            return 0;
        }
        into.received(isOfHost(source) ? into.packets().position() : 0, RealtimeClock.nowNs());
        return source == null ? 0 : 1;
    }

    private boolean isOfHost(@Nullable SocketAddress address) {
        InetAddress host = onlyHost;
        return host == null || (address instanceof InetSocketAddress from && host.equals(from.getAddress()));
    }

    /**
     * Sends a datagram, or counts its error. The network reports some errors of earlier datagrams by the next call,
     * which then sends nothing; that call is repeated once.
     *
     * @param to null if the socket is connected
     */
    private void sendDatagram(DatagramChannel socket, @Nullable SocketAddress to, ByteBuffer datagram)
            throws IOException {
        int begin = datagram.position();
        PacketError reported = null;
        for (boolean isOver = false; !isOver; ) {
            try {
                if (to == null) {
                    socket.write(datagram);
                } else {
                    socket.send(datagram, to);
                }
                isOver = !datagram.hasRemaining(); // a channel with a time limit does not wait for buffer space
                if (isOver && reported != null) {
                    errors.countRetried(reported, 1);
                }
            } catch (IOException e) {
                PacketError error = PacketError.of(e);
                if (error == null) {
                    throw e;
                }
                datagram.position(begin);
                if (reported == null && error.isReported()) {
                    reported = error;
                } else {
                    errors.countFailed(error, 1);
                    isOver = true;
                }
            }
        }
    }

    @Override
    public void addErrors(PacketErrorCounts into) {
        errors.addTo(into);
    }

    @Override
    public void limitReceive(long timeoutNs) throws IOException {
        if (datagrams != null) {
            waiting = new Waiting(datagrams, timeoutNs);
        }
    }

    /** Does not wait: each datagram is answered to its source. One of another host is received as an empty one. */
    @Override
    public boolean awaitSender(long tag, int packetBytes, @Nullable InetAddress from) {
        onlyHost = from;
        return true;
    }

    @Override
    public void sendPacket(ByteBuffer packet, int prefixBytesSent, long[] stamps, int from) throws IOException {
        packet.position(prefixBytesSent);
        stamps[from] = RealtimeClock.nowNs();
        PacketLayout.putSentNs(packet, 0, stamps[from]);
        while (packet.hasRemaining()) {
            channel.write(packet);
        }
        stamps[from + 1] = RealtimeClock.nowNs();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // equals would compare the contents
    public long reply(ByteBuffer packets, int offset, int packetBytes) throws IOException {
        if (packets != replied) {
            replied = packets;
            reply = packets.duplicate();
        }
        long repliedNs = PacketLayout.stamp(packets, offset, packetBytes);
        reply.clear().position(offset).limit(offset + packetBytes);
        DatagramChannel unconnected = datagrams;
        if (unconnected != null && source != null) {
            sendDatagram(unconnected, source, reply);
            return repliedNs;
        }
        while (reply.hasRemaining()) {
            channel.write(reply);
        }
        return repliedNs;
    }

    /** Waits for a datagram, but no longer than a limit. */
    private static final class Waiting implements Closeable {
        private final Selector selector;
        private final long timeoutMs;

        Waiting(DatagramChannel socket, long timeoutNs) throws IOException {
            selector = Selector.open();
            timeoutMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs));
            socket.configureBlocking(false);
            socket.register(selector, SelectionKey.OP_READ);
        }

        boolean await() throws IOException {
            try {
                return selector.select(key -> {}, timeoutMs) > 0;
            } catch (ClosedSelectorException e) {
                throw new ClosedChannelException();
            }
        }

        @Override
        public void close() throws IOException {
            selector.close();
        }
    }

    @Override
    public long drops() {
        return UNKNOWN;
    }

    /** Ends a wait with a time limit. The channel's owner closes the channel. */
    @Override
    public void close() {
        Sockets.close(waiting);
    }
}
