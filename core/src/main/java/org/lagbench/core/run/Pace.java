package org.lagbench.core.run;

import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.TextEnum;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.annotation.EnumNaming;

/**
 * The schedule of packets.
 *
 * @param mode how the sender waits for the next packet's time
 * @param intervalNs time between packets, or between bursts, in ns, from 1,000 to 10,000,000,000; 0 in a flood
 * @param burst number of packets that are due at the same instant, such as those of a video frame; 1 without bursts,
 *     and in a flood
 */
public record Pace(Mode mode, long intervalNs, int burst) {
    /** How the sender waits. */
    @EnumNaming(EnumNamingStrategies.KebabCaseStrategy.class)
    public enum Mode implements TextEnum {
        /** Does not wait: sends packets as fast as the network accepts them. */
        FLOOD,
        /** Sleeps, with the thread's timer slack at 1 ns: spares the CPU, about 20 µs late. */
        SLEEP,
        /** Reads the clock in a loop: exact, takes a whole core. */
        SPIN,
        /** Sleeps until shortly before a packet is due, then spins. */
        HYBRID
    }

    public Pace {
        if (mode == Mode.FLOOD) {
            intervalNs = 0;
            burst = 1;
        } else {
            RunParameters.INTERVAL.check(intervalNs);
            RunParameters.BURST.check(burst);
        }
    }

    /** Creates a pace without bursts. */
    public Pace(Mode mode, long intervalNs) {
        this(mode, intervalNs, 1);
    }

    public static Pace flood() {
        return new Pace(Mode.FLOOD, 0);
    }

    /** Returns when a packet is due, in ns after packet 0; the same for all packets of a burst. */
    public long dueNs(long index) {
        return index / burst * intervalNs;
    }

    /** Returns the duration of this many packets in ns, including the interval after the last burst; 0 in a flood. */
    public long durationNs(long packets) {
        return (packets + burst - 1) / burst * intervalNs;
    }

    /** Returns the number of packets, in whole bursts, that are due within this time; not for a flood. */
    public long packetsIn(long ns) {
        return (ns + intervalNs - 1) / intervalNs * burst;
    }
}
