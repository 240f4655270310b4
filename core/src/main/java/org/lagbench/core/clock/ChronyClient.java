package org.lagbench.core.clock;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ChronyClient.ChronyException.Kind;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.text.Endpoint;

/**
 * A client of chronyd's command protocol over UDP, as chronyc is. Needs no privilege: chronyd answers every process on
 * its host, and the hosts that its {@code cmdallow} names. Thread-safe.
 */
public final class ChronyClient {
    /** chronyd's default {@code cmdport}. */
    public static final int DEFAULT_PORT = 323;

    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(1);

    private static final int ATTEMPTS = 2;

    private static final int LONGEST_REPLY_BYTES = 2048;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final InetSocketAddress address;
    private final Duration timeout;

    /** Creates a client of the chronyd at this address. */
    public ChronyClient(InetSocketAddress address) {
        this(address, DEFAULT_TIMEOUT);
    }

    /**
     * Creates a client of the chronyd at this address.
     *
     * @param timeout how long to wait for the reply, after each of two requests
     */
    public ChronyClient(InetSocketAddress address, Duration timeout) {
        this.address = address;
        this.timeout = timeout;
    }

    /** Returns the address of chronyd as host:port. */
    public String address() {
        return Endpoint.of(address).toString();
    }

    /**
     * Requests the state of the clock. Blocks until the reply arrives, at most twice the timeout; skips replies to
     * other requests.
     *
     * @throws ChronyException if no reply arrives, or chronyd refuses
     */
    public ChronyTracking tracking() throws ChronyException {
        if (address.isUnresolved()) {
            throw new ChronyException(Kind.NO_REPLY, "there is no such host");
        }
        int sequence = RANDOM.nextInt();
        ChronyException failure =
                new ChronyException(Kind.NO_REPLY, "no reply within " + ATTEMPTS * timeout.toMillis() + " ms");
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(address);
            DatagramPacket reply = new DatagramPacket(new byte[LONGEST_REPLY_BYTES], LONGEST_REPLY_BYTES);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                socket.send(new DatagramPacket(TrackingMessage.request(sequence, attempt), TrackingMessage.BYTES));
                long sentAt = System.nanoTime();
                while (receive(socket, reply, sentAt)) {
                    try {
                        return TrackingMessage.reply(ByteBuffer.wrap(reply.getData(), 0, reply.getLength()), sequence);
                    } catch (ChronyException e) {
                        if (e.kind() == Kind.REFUSED) {
                            throw e;
                        }
                        failure = e; // the right reply may follow
                    }
                }
            }
        } catch (PortUnreachableException e) {
            throw new ChronyException(Kind.NO_REPLY, "the command port of chronyd is closed", e);
        } catch (IOException e) {
            throw new ChronyException(Kind.NO_REPLY, IoErrors.reason(e), e);
        }
        throw failure;
    }

    /** Waits for a packet; returns false after the time-out of the request. */
    private boolean receive(DatagramSocket socket, DatagramPacket packet, long sentAt) throws IOException {
        long remainingMs = timeout.toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sentAt);
        if (remainingMs <= 0) {
            return false;
        }
        socket.setSoTimeout((int) remainingMs);
        try {
            socket.receive(packet);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    /**
     * chronyd did not report its state. The message is the reason as a clause: "the command port of chronyd is closed".
     */
    public static final class ChronyException extends Exception {
        private static final long serialVersionUID = 1L;

        /** The kinds of failures. */
        public enum Kind {
            /** No reply arrived in time. */
            NO_REPLY,
            /** chronyd refused the request. */
            REFUSED,
            /** The reply is not one of a chronyd that lagbench supports. */
            NOT_UNDERSTOOD
        }

        private final Kind kind;

        ChronyException(Kind kind, String reason) {
            this(kind, reason, null);
        }

        ChronyException(Kind kind, String reason, @Nullable Throwable cause) {
            super(reason, cause);
            this.kind = kind;
        }

        public Kind kind() {
            return kind;
        }

        /** Returns the message, never null. */
        public String reason() {
            return String.valueOf(getMessage());
        }
    }
}
