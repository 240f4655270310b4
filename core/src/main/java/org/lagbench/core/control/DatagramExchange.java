package org.lagbench.core.control;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.StampedDatagrams;
import org.lagbench.core.clock.TwoWayExchange;
import org.lagbench.core.failure.LagbenchException;

/**
 * The sender's side of two-way exchanges by datagrams that both kernels stamp. The round trip then contains neither
 * program, so that it bounds the offset of the clocks more closely than one over the control connection. For one thread
 * at a time.
 */
final class DatagramExchange implements AutoCloseable {
    /** The datagrams of an exchange: a request, a reply, and its stamps. */
    private static final int DATAGRAMS = 3;

    private static final int MAX_FAILURES = 3;

    private final StampedDatagrams socket;
    private final ExchangeDatagram datagram;
    private final int timeoutMs;
    private long number;
    private int failures;

    private DatagramExchange(StampedDatagrams socket, ExchangeDatagram datagram, int timeoutMs) {
        this.socket = socket;
        this.datagram = datagram;
        this.timeoutMs = timeoutMs;
    }

    /**
     * Opens a socket on both sides.
     *
     * @param timeout how long to wait for a reply
     * @return null if a side does not support stamps
     */
    static @Nullable DatagramExchange open(
            ControlConnection connection, ControlReader reader, Duration answerTimeout, Duration timeout)
            throws IOException, LagbenchException {
        InetAddress local = connection.localAddress();
        StampedDatagrams socket = StampedDatagrams.open(local);
        if (socket == null) {
            return null;
        }
        try {
            String nonce = SharedKey.newText();
            ControlMessage.OpenExchange request = new ControlMessage.OpenExchange(socket.port(), nonce);
            int port = reader.ask(request, ControlMessage.ExchangeOpened.class, answerTimeout)
                    .port();
            if (port > 0) {
                socket.connect(new InetSocketAddress(connection.peerAddress(), port));
                return new DatagramExchange(
                        socket, new ExchangeDatagram(connection.exchangeKey(nonce)), (int) timeout.toMillis());
            }
        } catch (IOException | LagbenchException e) {
            socket.close();
            throw e;
        }
        socket.close();
        return null;
    }

    /** Returns whether several exchanges in a row failed, as behind a firewall. */
    boolean isBlocked() {
        return failures >= MAX_FAILURES;
    }

    /** Performs an exchange; returns null if a datagram or a stamp is missing. */
    @Nullable
    TwoWayExchange exchange() {
        TwoWayExchange exchange = null;
        try {
            exchange = tryExchange(number++);
        } catch (IOException e) {
            failures = MAX_FAILURES; // no socket at the peer's port, or a firewall rejects it
        }
        failures = exchange == null ? failures + 1 : 0;
        return exchange;
    }

    private @Nullable TwoWayExchange tryExchange(long expected) throws IOException {
        ControlConnection.TRAFFIC_BYTES.add(DATAGRAMS * ExchangeDatagram.BYTES);
        long sentNs = socket.send(datagram.make(ExchangeDatagram.REQUEST, expected, 0, 0));
        long deadlineNs = System.nanoTime() + Duration.ofMillis(timeoutMs).toNanos();
        long returnedNs = 0;
        for (long leftNs = deadlineNs - System.nanoTime(); leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
            long stampNs = socket.receive(datagram.buffer(), (int)
                    Math.max(1, Duration.ofNanos(leftNs).toMillis()));
            if (datagram.is(ExchangeDatagram.REPLY) && datagram.number() == expected) {
                returnedNs = stampNs;
            } else if (datagram.is(ExchangeDatagram.STAMPS) && datagram.number() == expected) {
                boolean isWhole = sentNs > 0 && returnedNs > 0 && datagram.receivedNs() > 0 && datagram.repliedNs() > 0;
                return isWhole
                        ? new TwoWayExchange(sentNs, datagram.receivedNs(), datagram.repliedNs(), returnedNs)
                        : null;
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
