package org.lagbench.core.clock;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.ChronyException.Kind;

/**
 * Asks a chronyd by its own command protocol over UDP, as chronyc does. Needs no privilege: chronyd answers this to
 * everybody on its host, and to those that its {@code cmdallow} names. Keeps no state; any thread may ask, at the same
 * time as others.
 */
public final class ChronyClient {
    /** Where chronyd listens unless its {@code cmdport} says otherwise. */
    public static final int DEFAULT_PORT = 323;

    /** How long the answer to one request is waited for. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(1);

    /** Requests before it gives up. */
    private static final int ATTEMPTS = 2;

    private static final int LONGEST_REPLY_BYTES = 2048;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final InetSocketAddress address;
    private final Duration timeout;

    /** Of the chronyd at this address. */
    public ChronyClient(InetSocketAddress address) {
        this(address, DEFAULT_TIMEOUT);
    }

    /**
     * Of the chronyd at this address.
     *
     * @param timeout how long to wait for the answer, after each of two requests
     */
    public ChronyClient(InetSocketAddress address, Duration timeout) {
        this.address = address;
        this.timeout = timeout;
    }

    /** Of this host's chronyd at its default port. */
    public static ChronyClient ofThisHost() {
        return ofThisHost(DEFAULT_PORT);
    }

    /** Of this host's chronyd, at 127.0.0.1. */
    public static ChronyClient ofThisHost(int port) {
        return new ChronyClient(new InetSocketAddress(loopback(), port));
    }

    /** Where it asks, as host:port. */
    public String address() {
        return Endpoint.of(address).toString();
    }

    /**
     * Asks for the state of the clock. Blocks until the answer is there, at most twice the timeout; replies that are
     * none to this request are passed over.
     *
     * @throws ChronyException if there is none, or it is a refusal
     */
    public ChronyTracking tracking() throws ChronyException {
        if (address.isUnresolved()) {
            throw new ChronyException(Kind.NO_ANSWER, "there is no such host");
        }
        int sequence = RANDOM.nextInt();
        ChronyException failure = new ChronyException(
                Kind.NO_ANSWER, "nothing came back within " + ATTEMPTS * timeout.toMillis() + " ms");
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
                        failure = e; // another may follow that is right
                    }
                }
            }
        } catch (PortUnreachableException e) {
            throw new ChronyException(Kind.NO_ANSWER, "the port is closed", e);
        } catch (IOException e) {
            throw new ChronyException(Kind.NO_ANSWER, String.valueOf(e.getMessage()), e);
        }
        throw failure;
    }

    /** Waits for a packet; returns false when the request's time is over. */
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

    private static InetAddress loopback() {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 bytes are an address", e);
        }
    }
}
