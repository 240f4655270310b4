package org.lagbench.control;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.DatagramExchange.Datagram;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.clock.StampedDatagrams;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;

/**
 * The sender's side of two-way exchanges by datagrams that both kernels stamp. The round trip then contains neither
 * program, so that it bounds the offset of the clocks more closely than one over the control connection. For one thread
 * at a time.
 */
public final class DatagramExchange implements AutoCloseable {
    /** The datagrams of an exchange: a request, a reply, and its stamps. */
    private static final int DATAGRAMS = 3;

    private static final int MAX_FAILURES = 3;

    private final StampedDatagrams socket;
    private final Datagram datagram;
    private final int timeoutMs;
    private long number;
    private int failures;

    private DatagramExchange(StampedDatagrams socket, Datagram datagram, int timeoutMs) {
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
            ControlConnection connection, ControlReader reader, Duration replyTimeout, Duration timeout)
            throws IOException, LagbenchException {
        InetAddress local = connection.localAddress();
        StampedDatagrams socket = StampedDatagrams.open(local);
        if (socket == null) {
            return null;
        }
        try {
            String nonce = SharedKey.newText();
            ControlMessage.OpenExchange request = new ControlMessage.OpenExchange(socket.port(), nonce);
            int port = reader.ask(request, ControlMessage.ExchangeOpened.class, replyTimeout)
                    .port();
            if (port > 0) {
                socket.connect(new InetSocketAddress(connection.peerAddress(), port));
                return new DatagramExchange(
                        socket, new Datagram(connection.exchangeKey(nonce)), (int) timeout.toMillis());
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
        ControlConnection.TRAFFIC_BYTES.add(DATAGRAMS * Datagram.BYTES);
        long sentNs = socket.send(datagram.make(Datagram.REQUEST, expected, 0, 0));
        long deadlineNs = System.nanoTime() + Duration.ofMillis(timeoutMs).toNanos();
        long returnedNs = 0;
        for (long leftNs = deadlineNs - System.nanoTime(); leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
            long stampNs = socket.receive(datagram.buffer(), (int)
                    Math.max(1, Duration.ofNanos(leftNs).toMillis()));
            if (returnedNs == 0 && datagram.is(Datagram.REPLY) && datagram.number() == expected) {
                returnedNs = stampNs;
            } else if (datagram.is(Datagram.STAMPS) && datagram.number() == expected) {
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

    /**
     * The datagrams of a two-way exchange, all of one size so that they take equal time on a wire. Numbers are
     * big-endian:
     *
     * <pre>
     *  byte
     *     0   u64 kind: 1 request, 2 reply, 3 the receiver's stamps
     *     8   u64 number of the exchange, from 0
     *    16   i64 in kind 3 the stamp of the request, CLOCK_REALTIME in ns; else 0
     *    24   i64 in kind 3 the stamp of the reply, CLOCK_REALTIME in ns; else 0
     *    32   the first 16 bytes of the HMAC of all before
     *    48   end
     * </pre>
     *
     * <p>The kernel stamps a reply after its content is written, so the stamps follow it. Datagrams with another key
     * are ignored. Not thread-safe.
     */
    static final class Datagram {
        static final int BYTES = 48;

        static final long REQUEST = 1;
        static final long REPLY = 2;
        static final long STAMPS = 3;

        private static final int MAC_INDEX = 32;

        private final SharedKey key;
        private final ByteBuffer outgoing = ByteBuffer.allocateDirect(BYTES);

        /** Has space for more bytes than a datagram has, so that a longer one is recognized. */
        private final ByteBuffer incoming = ByteBuffer.allocateDirect(2 * BYTES);

        Datagram(SharedKey key) {
            this.key = key;
        }

        /** Returns a datagram to send; the next call overwrites it. */
        ByteBuffer make(long kind, long number, long receivedNs, long repliedNs) {
            outgoing.clear()
                    .putLong(kind)
                    .putLong(number)
                    .putLong(receivedNs)
                    .putLong(repliedNs)
                    .put(mac(outgoing))
                    .flip();
            return outgoing;
        }

        ByteBuffer buffer() {
            return incoming;
        }

        /** Returns whether the received datagram is a valid one of a kind. */
        boolean is(long kind) {
            byte[] mac = new byte[BYTES - MAC_INDEX];
            if (incoming.limit() != BYTES || incoming.getLong(0) != kind) {
                return false;
            }
            incoming.get(MAC_INDEX, mac);
            return MessageDigest.isEqual(mac, mac(incoming));
        }

        long number() {
            return incoming.getLong(8);
        }

        long receivedNs() {
            return incoming.getLong(16);
        }

        long repliedNs() {
            return incoming.getLong(24);
        }

        private byte[] mac(ByteBuffer datagram) {
            byte[] content = new byte[MAC_INDEX];
            for (int i = 0; i < MAC_INDEX; i++) {
                content[i] = datagram.get(i);
            }
            return Arrays.copyOf(key.mac(content), BYTES - MAC_INDEX);
        }
    }

    /** The receiver's side of two-way exchanges by datagrams: a thread that answers {@link DatagramExchange}. */
    public static final class Responder implements AutoCloseable {
        private static final int WAIT_MS = 60_000;

        private final StampedDatagrams socket;
        private final Datagram datagram;
        private final BackgroundThread thread = new BackgroundThread("clock-exchange", this::answerAll);

        private Responder(StampedDatagrams socket, SharedKey key) {
            this.socket = socket;
            this.datagram = new Datagram(key);
        }

        /** Answers a request to open a socket. Returns null if this host does not support stamps. */
        public static @Nullable Responder open(ControlConnection connection, ControlMessage.OpenExchange request)
                throws IOException {
            Responder responder = start(connection, request);
            connection.write(new ControlMessage.ExchangeOpened(
                    responder == null ? ControlMessage.ExchangeOpened.NONE : responder.port()));
            return responder;
        }

        private static @Nullable Responder start(ControlConnection connection, ControlMessage.OpenExchange request)
                throws IOException {
            StampedDatagrams socket = StampedDatagrams.open(connection.localAddress());
            if (socket == null) {
                return null;
            }
            try {
                socket.connect(new InetSocketAddress(connection.peerAddress(), request.port()));
            } catch (IOException e) {
                socket.close();
                return null; // the sender uses the control connection
            }
            Responder responder = new Responder(socket, connection.exchangeKey(request.nonce()));
            responder.thread.start();
            return responder;
        }

        int port() {
            return socket.port();
        }

        /**
         * Replies to each sequence number once. A host on the path can repeat a request without the key. A second reply
         * has other stamps, so an exchange could combine stamps of two replies and prove a wrong offset.
         */
        private void answerAll() {
            long answered = -1;
            try {
                while (true) {
                    long receivedNs = socket.receive(datagram.buffer(), WAIT_MS);
                    if (datagram.is(Datagram.REQUEST) && datagram.number() > answered) {
                        long number = datagram.number();
                        answered = number;
                        long repliedNs = socket.send(datagram.make(Datagram.REPLY, number, 0, 0));
                        socket.send(datagram.make(Datagram.STAMPS, number, receivedNs, repliedNs));
                    }
                }
            } catch (IOException e) {
                return; // closed, or the sender has closed its socket: it uses the control connection
            }
        }

        /** Ends the thread. */
        @Override
        public void close() throws IOException {
            socket.end();
            thread.close();
            socket.close();
        }
    }
}
