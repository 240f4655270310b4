package org.lagbench.packetio.socket;

import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.linux.LinuxArrivals;

/** Reads recorded arrivals, several at a time. */
@FunctionalInterface
public interface RecordedArrivals {
    /** The number of arrivals that are read at once. */
    int AT_ONCE = 512;

    /**
     * Loads and closes the observer in the kernel that records arrivals.
     *
     * @throws LagbenchException if that is impossible here; the message says why, and what to do
     */
    static void check() throws LagbenchException {
        LinuxArrivals.load(1).close();
    }

    /** Reads arrivals from a number on; returns how many, see {@link LinuxArrivals#read}. */
    int read(long from, long[] arrivals);

    /** Accepts arrivals. */
    @FunctionalInterface
    interface Consumer {
        /** Accepts an arrival; see {@link LinuxArrivals#FIELDS}. */
        void accept(long atNs, int sequence, long bytes);
    }

    /** Passes all arrivals whose time is known to a consumer, in their order. */
    default void forEach(Consumer consumer) {
        long[] read = new long[AT_ONCE * LinuxArrivals.FIELDS];
        int count;
        for (long from = 0; (count = read(from, read)) > 0; from += count) {
            for (int at = 0; at < count * LinuxArrivals.FIELDS; at += LinuxArrivals.FIELDS) {
                if (read[at] != 0) {
                    consumer.accept(read[at], (int) read[at + 1], read[at + 2]);
                }
            }
        }
    }
}
