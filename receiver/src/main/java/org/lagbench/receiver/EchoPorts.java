package org.lagbench.receiver;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.BackgroundThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two free ports with which a peer finds out whether packets reach this host: TCP accepts connections and closes them,
 * UDP returns each datagram. Other hosts get no reply. Each port has a thread, which ends with {@link #close}.
 */
final class EchoPorts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EchoPorts.class);
    private static final int MAXIMUM_BYTES = 1 << 16;
    private static final long RETRY_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final InetAddress peer;
    private final ServerSocket tcp;
    private final DatagramSocket udp;
    private final DatagramPacket datagram = new DatagramPacket(new byte[MAXIMUM_BYTES], MAXIMUM_BYTES);
    private final BackgroundThread accepting = new BackgroundThread("echo-tcp", () -> repeat(this::accept));
    private final BackgroundThread returning = new BackgroundThread("echo-udp", () -> repeat(this::returnDatagram));

    private EchoPorts(InetAddress peer, ServerSocket tcp, DatagramSocket udp) {
        this.peer = peer;
        this.tcp = tcp;
        this.udp = udp;
    }

    /**
     * Opens the ports.
     *
     * @param host this host's address for packets
     * @param peer the host that gets replies
     */
    static EchoPorts open(String host, String peer) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), 0);
        ServerSocket tcp = new ServerSocket();
        try {
            tcp.bind(address);
            EchoPorts ports = new EchoPorts(InetAddress.getByName(peer), tcp, new DatagramSocket(address));
            ports.accepting.start();
            ports.returning.start();
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

    private void repeat(Step step) {
        while (!accepting.isClosing()) {
            try {
                step.run();
            } catch (IOException e) {
                LOG.debug("{}: {}", Thread.currentThread().getName(), e.toString());
                // waits, because the reason, such as too many open files, may persist
                accepting.isClosedWithin(RETRY_INTERVAL_NS);
            }
        }
    }

    private void accept() throws IOException {
        try (Socket accepted = tcp.accept()) {
            LOG.debug("a connection from {}", accepted.getRemoteSocketAddress());
        }
    }

    private void returnDatagram() throws IOException {
        datagram.setLength(MAXIMUM_BYTES);
        udp.receive(datagram);
        if (datagram.getAddress().equals(peer)) {
            udp.send(datagram);
        }
    }

    @Override
    public void close() throws IOException {
        accepting.end();
        returning.end();
        udp.close();
        tcp.close();
    }
}
