package org.lagbench.core.clock;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;

/**
 * A UDP socket whose datagrams the kernel stamps: sent ones when they reach the driver, received ones when the driver
 * delivers them. For one thread; any thread may call {@link #end}.
 */
public interface StampedDatagrams extends AutoCloseable {
    /** Returns this side's port. */
    int port();

    /** Sets the only peer. Must be called once, before any other datagram. */
    void connect(InetSocketAddress peer) throws IOException;

    /**
     * Sends the remaining bytes of a direct buffer as one datagram.
     *
     * @return the kernel's stamp, CLOCK_REALTIME in ns; 0 if there is none
     */
    long send(ByteBuffer datagram) throws IOException;

    /**
     * Waits for a datagram and puts it into a direct buffer, whose limit is then the datagram's end.
     *
     * @return the kernel's stamp, CLOCK_REALTIME in ns; 0 if no datagram with a stamp arrived in time
     * @throws IOException if the socket failed or was ended
     */
    long receive(ByteBuffer into, int timeoutMs) throws IOException;

    /** Ends the current wait and all later ones. For any thread, before {@link #close}. */
    void end();

    @Override
    void close() throws IOException;

    /** A source of such sockets. */
    interface Provider {
        /**
         * Opens a socket at a free port of a local address.
         *
         * @throws LagbenchException if this machine does not support it; the message says why, and what to do about it
         */
        StampedDatagrams open(InetAddress local) throws LagbenchException, IOException;
    }

    /** Opens a socket at a local address; returns null if nothing on the class path supports it here. */
    static @Nullable StampedDatagrams open(InetAddress local) {
        Provider provider = ServiceLoader.load(Provider.class).findFirst().orElse(null);
        try {
            return provider == null ? null : provider.open(local);
        } catch (LagbenchException | IOException e) {
            return null; // the caller uses the control connection instead
        }
    }
}
