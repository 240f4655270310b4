package org.lagbench.core.run;

import java.util.Locale;

/**
 * When packets are to leave.
 *
 * @param mode how the sender waits for the next packet's time
 * @param intervalNs time between packets, or between bursts, in ns, from 1,000 to 10,000,000,000; 0 in a flood
 * @param burst how many packets are due at the same instant, as those of a video frame are; 1 if evenly paced, and in a
 *     flood
 */
public record Pace(Mode mode, long intervalNs, int burst) {
    /** Shortest interval in ns. */
    public static final long MINIMUM_INTERVAL_NS = 1_000;

    /** Longest interval in ns. */
    public static final long MAXIMUM_INTERVAL_NS = 10_000_000_000L;

    /** Most packets of a burst: a frame of 8K video, uncompressed. */
    public static final int MAXIMUM_BURST = 100_000;

    /** How the sender waits. */
    public enum Mode {
        /** It does not: each packet follows the one before as fast as the network takes it. */
        FLOOD,
        /** Sleeps, with the thread's timer slack at 1 ns: spares the CPU, some 20 µs late. */
        SLEEP,
        /** Looks at the clock without pause: exact, takes a whole core. */
        SPIN,
        /** Sleeps until shortly before, then spins. */
        HYBRID;

        /** The name in files and on the command line. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Pace {
        boolean fits = mode == Mode.FLOOD
                ? intervalNs == 0
                : intervalNs >= MINIMUM_INTERVAL_NS && intervalNs <= MAXIMUM_INTERVAL_NS;
        if (!fits) {
            throw new IllegalArgumentException("pace " + mode.text() + " with an interval of " + intervalNs + " ns");
        }
        if (burst < 1 || burst > (mode == Mode.FLOOD ? 1 : MAXIMUM_BURST)) {
            throw new IllegalArgumentException("pace " + mode.text() + " with bursts of " + burst
                    + " packets; it takes " + (mode == Mode.FLOOD ? "none" : "1 to " + MAXIMUM_BURST));
        }
    }

    /** Evenly paced. */
    public Pace(Mode mode, long intervalNs) {
        this(mode, intervalNs, 1);
    }

    /** As fast as the network takes packets. */
    public static Pace flood() {
        return new Pace(Mode.FLOOD, 0);
    }

    /** When a packet is due, in ns after packet 0; of all packets of a burst the same. */
    public long dueNs(long index) {
        return index / burst * intervalNs;
    }

    /** How long that many packets take in ns, the interval after the last burst included; 0 in a flood. */
    public long durationNs(long packets) {
        return (packets + burst - 1) / burst * intervalNs;
    }
}
