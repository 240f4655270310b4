package org.lagbench.receiver;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two free ports with which a peer finds out whether packets reach this host: TCP accepts connections and closes them,
 * UDP returns each datagram. Other hosts get no answer. Each port has a thread, which ends with {@link #close}.
 */
final class EchoPorts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EchoPorts.class);
    private static final int MAXIMUM_BYTES = 1 << 16;
    private static final long RETRY_INTERVAL_MS = 100;

    private final InetAddress peer;
    private final ServerSocket tcp;
    private final DatagramSocket udp;
    private final CountDownLatch closed = new CountDownLatch(1);

    private EchoPorts(InetAddress peer, ServerSocket tcp, DatagramSocket udp) {
        this.peer = peer;
        this.tcp = tcp;
        this.udp = udp;
    }

    /**
     * Opens the ports.
     *
     * @param host this host's address for packets
     * @param peer the host that gets answers
     */
    static EchoPorts open(String host, String peer) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), 0);
        ServerSocket tcp = new ServerSocket();
        try {
            tcp.bind(address);
            EchoPorts ports = new EchoPorts(InetAddress.getByName(peer), tcp, new DatagramSocket(address));
            DatagramPacket datagram = new DatagramPacket(new byte[MAXIMUM_BYTES], MAXIMUM_BYTES);
            ports.start("echo-tcp", ports::accept);
            ports.start("echo-udp", () -> ports.returnDatagram(datagram));
            return ports;
        } catch (IOException e) {
            tcp.close();
            throw e;
        }
    }

    int tcpPort() {
        return tcp.getLocalPort();
    }

    int udpPort() {
        return udp.getLocalPort();
    }

    /** Handles one connection or one datagram. */
    private interface Step {
        void run() throws IOException;
    }

    private void start(String name, Step step) {
        Thread thread = new Thread(
                () -> {
                    while (closed.getCount() > 0) {
                        try {
                            step.run();
                        } catch (IOException e) {
                            LOG.debug("{}: {}", name, e.toString());
                            awaitCloseOrRetry(); // waits, because the reason, such as too many open files, may persist
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private void awaitCloseOrRetry() {
        try {
            closed.await(RETRY_INTERVAL_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() throws IOException {
        try (Socket accepted = tcp.accept()) {
            LOG.debug("a connection from {}", accepted.getRemoteSocketAddress());
        }
    }

    private void returnDatagram(DatagramPacket datagram) throws IOException {
        datagram.setLength(MAXIMUM_BYTES);
        udp.receive(datagram);
        if (datagram.getAddress().equals(peer)) {
            udp.send(datagram);
        }
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        udp.close();
        tcp.close();
    }
}
