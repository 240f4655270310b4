package org.lagbench.core.bandwidth;

import java.io.IOException;
import java.util.ServiceLoader;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Registry;

/**
 * A way to read the counters of an interface. Registered by a line in
 * {@code META-INF/services/org.lagbench.core.bandwidth.CounterSource} and found by {@link #all}.
 */
public interface CounterSource extends Registry.Named {
    /**
     * Opens the counters of a bottleneck, and checks that they can be read.
     *
     * @throws LagbenchException if the counters cannot be read; the message states the remedy
     */
    Counters open(Bottleneck bottleneck) throws LagbenchException;

    /** Returns all sources on the class path. */
    static Registry<CounterSource> all() {
        return new Registry<>("source of counters", ServiceLoader.load(CounterSource.class));
    }

    /** The counters of one interface. Used by one thread. */
    @FunctionalInterface
    interface Counters extends AutoCloseable {
        CounterReading read() throws IOException;

        /** Returns how long readings may remain equal although the counters have changed, in ns. */
        default long staleNs() {
            return 0;
        }

        @Override
        default void close() throws IOException {}
    }

    /**
     * The traffic that an interface has sent, or that it has received, as its counters report it.
     *
     * @param octets bytes, link-layer headers included; unsigned
     * @param packets packets; unsigned
     * @param bits width of both counters, 32 or 64, at which they wrap
     */
    record CounterReading(long octets, long packets, int bits) {
        /** Returns the growth of a counter that wrapped at most once; negative if a 64-bit counter was reset. */
        static long growth(long before, long after, int bits) {
            return bits == Long.SIZE ? after - before : (after - before) & 0xffff_ffffL;
        }
    }
}
