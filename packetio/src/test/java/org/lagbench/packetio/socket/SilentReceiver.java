package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;

/** Reads all connections to their end, one at a time, and answers nothing. */
public final class SilentReceiver implements AutoCloseable {
    private final ServerSocketChannel listening =
            ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    public SilentReceiver() throws IOException {
        Thread thread = new Thread(this::readAll, "silent-receiver");
        thread.setDaemon(true);
        thread.start();
    }

    public Map<String, String> announce() {
        return Map.of("port", Integer.toString(listening.socket().getLocalPort()));
    }

    private void readAll() {
        while (listening.isOpen()) {
            readConnection();
        }
    }

    private void readConnection() {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        try (SocketChannel sender = listening.accept()) {
            while (sender.read(bytes.clear()) >= 0) {
                // discards what it has read
            }
        } catch (IOException e) {
            return; // the sender broke off, or this was closed
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
