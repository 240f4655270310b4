package org.lagbench.engines;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToIntFunction;

/** A path to a port of this host that loses or copies data packets of SRT. Control packets pass. */
final class SrtPath implements AutoCloseable {
    private final DatagramSocket front = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    private final DatagramSocket back = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    private final SocketAddress receiver;
    private final ToIntFunction<Data> copies;
    private final CompletableFuture<SocketAddress> sender = new CompletableFuture<>();

    /** @param copies returns how often a data packet passes; called by the thread that passes it */
    SrtPath(int port, ToIntFunction<Data> copies) throws IOException {
        this.receiver = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.copies = copies;
        new Thread(this::passForward, "forward").start();
        new Thread(this::passBack, "back").start();
    }

    /**
     * A data packet on its way.
     *
     * @param index its number among all data packets, copies included, from 0
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Data(SrtPath path, int index, byte[] bytes) {
        int sequence() {
            return ByteBuffer.wrap(bytes).getInt();
        }

        void pass() {
            try {
                path.back.send(new DatagramPacket(bytes, bytes.length, path.receiver));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    int port() {
        return front.getLocalPort();
    }

    private void passForward() {
        DatagramPacket datagram = new DatagramPacket(new byte[2_000], 2_000);
        try {
            for (int index = 0; ; ) {
                datagram.setLength(2_000);
                front.receive(datagram);
                sender.complete(datagram.getSocketAddress());
                byte[] bytes = Arrays.copyOf(datagram.getData(), datagram.getLength());
                boolean isControl = bytes[0] < 0;
                Data packet = new Data(this, isControl ? -1 : index++, bytes);
                for (int copy = isControl ? 1 : copies.applyAsInt(packet); copy > 0; copy--) {
                    packet.pass();
                }
            }
        } catch (IOException | UncheckedIOException e) {
            back.close(); // the test has closed one of them
        }
    }

    private void passBack() {
        DatagramPacket datagram = new DatagramPacket(new byte[2_000], 2_000);
        try {
            while (true) {
                datagram.setLength(2_000);
                back.receive(datagram);
                front.send(new DatagramPacket(datagram.getData(), datagram.getLength(), sender.join()));
            }
        } catch (IOException e) {
            front.close(); // the test has closed one of them
        }
    }

    @Override
    public void close() {
        front.close();
        back.close();
    }
}
