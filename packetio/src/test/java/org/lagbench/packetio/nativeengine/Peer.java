package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A receiver on loopback that only reads: datagrams, or the stream of the first connection. */
public final class Peer implements AutoCloseable {
    private final NetworkChannel channel;
    private @Nullable SocketChannel connection;

    private Peer(NetworkChannel channel) throws IOException {
        this.channel = channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** Opens a peer of that transport. */
    public static Peer of(String transport) throws IOException {
        return new Peer(transport.equals("udp") ? DatagramChannel.open() : ServerSocketChannel.open());
    }

    private int port() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    /** Returns the announcement that a sender needs to connect. */
    public Map<String, String> announcement() throws IOException {
        return Map.of("port", Integer.toString(port()));
    }

    /** Returns the host and port at which the peer listens. */
    public String address() throws IOException {
        return "127.0.0.1:" + port();
    }

    /** Returns the connection of a stream; waits until it is made. */
    public SocketChannel connection() throws IOException {
        if (connection == null) {
            connection = ((ServerSocketChannel) channel).accept();
        }
        return connection;
    }

    /** Returns the next packet of this size; waits until it has arrived. */
    public ByteBuffer receive(int packetBytes) throws IOException {
        ByteBuffer packet = ByteBuffer.allocate(packetBytes);
        if (channel instanceof DatagramChannel datagrams) {
            datagrams.receive(packet);
        } else {
            while (packet.hasRemaining() && connection().read(packet) >= 0) {
                // reads on until the packet is complete
            }
        }
        assertThat(packet.hasRemaining()).isFalse();
        return packet.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (connection != null) {
            connection.close();
        }
    }
}
