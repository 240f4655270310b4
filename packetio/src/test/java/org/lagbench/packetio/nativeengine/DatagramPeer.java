package org.lagbench.packetio.nativeengine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Map;

/** A receiver of datagrams on loopback that only reads. */
final class DatagramPeer implements AutoCloseable {
    private final DatagramChannel channel =
            DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    DatagramPeer() throws IOException {}

    /** What a sender is to connect to. */
    Map<String, String> announcement() throws IOException {
        return Map.of("port", Integer.toString(((InetSocketAddress) channel.getLocalAddress()).getPort()));
    }

    /** The next datagram; waits for it. */
    ByteBuffer receive() throws IOException {
        ByteBuffer packet = ByteBuffer.allocate(1 << 16);
        channel.receive(packet);
        return packet.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
