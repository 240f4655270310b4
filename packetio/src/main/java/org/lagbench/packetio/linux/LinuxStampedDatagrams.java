package org.lagbench.packetio.linux;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import org.lagbench.core.clock.StampedDatagrams;
import org.lagbench.core.failure.LagbenchException;

/** Uses SO_TIMESTAMPING of Linux (stamped_datagram.h). */
final class LinuxStampedDatagrams implements StampedDatagrams {
    private static final int EAGAIN = 11;

    private final DatagramChannel channel;
    private final int fd;
    private final int port;
    private final ByteBuffer stamp = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
    private int sent;
    private boolean closed;

    private LinuxStampedDatagrams(DatagramChannel channel, int fd) throws IOException {
        this.channel = channel;
        this.fd = fd;
        this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    /** The service provider named in {@code META-INF/services}. */
    public static final class Provider implements StampedDatagrams.Provider {
        @Override
        public StampedDatagrams open(InetAddress local) throws LagbenchException, IOException {
            LinuxSockets.load();
            DatagramChannel channel = DatagramChannel.open();
            try {
                channel.bind(new InetSocketAddress(local, 0));
                return new LinuxStampedDatagrams(channel, LinuxSockets.descriptorOf(channel));
            } catch (IOException | LagbenchException e) {
                channel.close();
                throw e;
            }
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void connect(InetSocketAddress peer) throws IOException {
        channel.connect(peer);
        check("enable the kernel's stamps", enable(fd));
    }

    @Override
    public long send(ByteBuffer datagram) throws IOException {
        return check("send", send(fd, datagram, datagram.remaining(), sent++));
    }

    @Override
    public long receive(ByteBuffer into, int timeoutMs) throws IOException {
        int bytes = receive(fd, into, into.capacity(), timeoutMs, stamp);
        if (bytes == -EAGAIN) {
            into.position(0).limit(0);
            return 0;
        }
        check("receive", bytes);
        into.position(0).limit(bytes);
        return stamp.getLong(0);
    }

    @Override
    public synchronized void end() {
        if (!closed && channel.isConnected()) {
            end(fd);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        channel.close();
    }

    private static long check(String what, long result) throws IOException {
        if (result < 0) {
            throw new IOException("cannot " + what + ": " + NativeSocket.reason((int) result));
        }
        return result;
    }

    private static native int enable(int fd);

    private static native long send(int fd, ByteBuffer datagram, int bytes, int key);

    private static native int receive(int fd, ByteBuffer into, int capacity, int timeoutMs, ByteBuffer stamp);

    private static native int end(int fd);
}
