package org.lagbench.packetio.transport;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One side of a run, whatever moves its packets. Subtypes restrict the threads of other calls; any thread may close.
 */
public interface EngineSide extends AutoCloseable {
    /** Returns what the other side needs in order to connect: a receiver's port, an IEEE-1394 sender's channel. */
    default Map<String, String> announce() {
        return Map.of();
    }

    /**
     * Returns the metadata for {@code run.json}: names with units, such as {@code receiveBufferBytes}. Values are
     * numbers, booleans or text.
     */
    default Map<String, Object> metadata() {
        return Map.of();
    }

    /** Returns where it records the datagrams that it reads, or writes for packets, if nobody else can; else null. */
    default @Nullable DatagramMarks datagramMarks() {
        return null;
    }

    /** Returns how many packets a datagram with packets had so far, on average; 1 without datagrams. */
    default double packetsPerDatagram() {
        return 1;
    }

    /**
     * Ends the record of the socket's stamps and buffers, if any, and closes its files. May be called more than once;
     * closing does the same without reporting failures.
     *
     * @throws IOException if something was not recorded
     */
    default void endSocketRecord() throws IOException {}

    /** Releases all resources. May be called more than once. */
    @Override
    void close();
}
