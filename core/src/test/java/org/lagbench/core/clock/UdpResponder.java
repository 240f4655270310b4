package org.lagbench.core.clock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Answers each UDP packet on its own port with the reply of a test. */
final class UdpResponder implements AutoCloseable {
    private final DatagramSocket socket;
    private final List<byte[]> requests = new CopyOnWriteArrayList<>();

    /** Answers with the packets that the function makes of a request. */
    UdpResponder(Function<byte[], List<byte[]>> replies) throws Exception {
        socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        new Thread(() -> respond(replies), "udp-responder").start();
    }

    int port() {
        return socket.getLocalPort();
    }

    List<byte[]> requests() {
        return requests;
    }

    private void respond(Function<byte[], List<byte[]>> replies) {
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
                socket.receive(packet);
                byte[] request = Arrays.copyOf(packet.getData(), packet.getLength());
                requests.add(request);
                for (byte[] reply : replies.apply(request)) {
                    socket.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
                }
            }
        } catch (SocketException e) {
            // close() closed the socket; the thread ends
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        socket.close(); // ends the thread, which reads from the socket
    }
}
