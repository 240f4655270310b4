package org.lagbench.native1394;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.time.Intervals;

/**
 * The tick of a virtual bus: it wakes up at multiples of it, plays the cycles since one by one, and hands over what
 * they brought. Packets and their cycle numbers are the same with any tick; a longer one costs less CPU time, and hands
 * a packet over up to a tick later.
 */
public final class BusTick {
    /** The tick of a bus that plays each cycle at its time, in ns: a cycle. Every tick is a multiple of it. */
    public static final long MINIMUM_NS = Ieee1394Transport.CYCLE_NS;

    /** The longest tick that the daemon plays, in ns. */
    public static final long MAXIMUM_NS = 100_000_000;

    private BusTick() {}

    /**
     * The tick of the bus that this process is on, in ns; 0 if that is the kernel's, or does not answer, which whoever
     * opens a port is told.
     *
     * @throws LagbenchException if the native library is not there
     */
    static long ofThisBusNs() throws LagbenchException {
        if (keptElsewhere() == null) {
            return 0;
        }
        NativeLibrary.load();
        return TimeUnit.MICROSECONDS.toNanos(Math.max(0, Raw1394.busTickUs()));
    }

    /**
     * Makes sure that the bus that this process is on has a tick.
     *
     * @param wantedNs the tick, in ns
     * @throws LagbenchException if it has another: which, and what to do about it
     */
    static void require(long wantedNs) throws LagbenchException {
        require(wantedNs, ofThisBusNs(), keptElsewhere());
    }

    /**
     * Makes sure that a bus has a tick.
     *
     * @param wantedNs the tick, in ns
     * @param tickNs that of the bus, in ns; 0 if it is the kernel's
     * @param directory the bus's, or null if it is the kernel's
     * @throws LagbenchException if it has another: which, and what to do about it
     */
    static void require(long wantedNs, long tickNs, @Nullable String directory) throws LagbenchException {
        if (tickNs == 0 && directory == null && wantedNs != MINIMUM_NS) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "tick: " + Intervals.format(wantedNs) + " is for the virtual bus. The bus here (/dev/fw*) is the"
                            + " kernel's, which plays each cycle at its time; leave tick out.");
        }
        if (tickNs != 0 && tickNs != wantedNs) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "tick: " + Intervals.format(wantedNs) + " is asked for, but the virtual bus in " + directory
                            + " was started with a tick of " + Intervals.format(tickNs) + ". Ask for tick: "
                            + Intervals.format(tickNs) + ", or start that bus with lagbench bus --tick "
                            + Intervals.format(wantedNs) + ".");
        }
    }

    /** Puts the tick of the bus that this process is on among the facts, if it is a virtual one. */
    static void putFact(Map<String, Object> facts, long tickNs) {
        if (tickNs != 0) {
            facts.put("busTickNs", tickNs);
        }
    }

    private static @Nullable String keptElsewhere() {
        return System.getenv(VirtualBus.DIRECTORY_VARIABLE);
    }
}
