package org.lagbench.core.run;

import java.util.Locale;

/**
 * When packets are to leave.
 *
 * @param mode how the sender waits for the next packet's time
 * @param intervalNs time between packets in ns, from 1,000 to 10,000,000,000; 0 in a flood
 */
public record Pace(Mode mode, long intervalNs) {
    /** Shortest interval in ns. */
    public static final long MINIMUM_INTERVAL_NS = 1_000;

    /** Longest interval in ns. */
    public static final long MAXIMUM_INTERVAL_NS = 10_000_000_000L;

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
    }

    /** As fast as the network takes packets. */
    public static Pace flood() {
        return new Pace(Mode.FLOOD, 0);
    }
}
