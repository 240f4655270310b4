package org.lagbench.engines;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Forwards datagrams of one client to a port of loopback and back, until it is closed. */
final class DatagramRelay implements AutoCloseable {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final DatagramChannel front;
    private final DatagramChannel back;
    private volatile SocketAddress client;

    private DatagramRelay(InetSocketAddress server) throws IOException {
        front = DatagramChannel.open(StandardProtocolFamily.INET).bind(new InetSocketAddress(LOOPBACK, 0));
        back = DatagramChannel.open(StandardProtocolFamily.INET).connect(server);
        client = front.getLocalAddress();
        forward(true);
        forward(false);
    }

    static DatagramRelay to(int port) throws IOException {
        return new DatagramRelay(new InetSocketAddress(LOOPBACK, port));
    }

    int port() throws IOException {
        return ((InetSocketAddress) front.getLocalAddress()).getPort();
    }

    private void forward(boolean there) {
        Thread thread = new Thread(
                () -> {
                    ByteBuffer datagram = ByteBuffer.allocate(1 << 16);
                    try {
                        while (true) {
                            if (there) {
                                client = front.receive(datagram.clear());
                                back.write(datagram.flip());
                            } else {
                                back.receive(datagram.clear());
                                front.send(datagram.flip(), client);
                            }
                        }
                    } catch (IOException e) {
                        // end() closed the sockets
                    }
                },
                "relay");
        thread.setDaemon(true);
        thread.start();
    }

    /** Closes both sockets. May be called more than once. */
    void end() throws IOException {
        front.close();
        back.close();
    }

    @Override
    public void close() throws IOException {
        end();
    }
}
