package org.lagbench.core.clock;

import java.nio.file.Path;
import java.util.List;
import org.lagbench.core.clock.ChronyException.Kind;
import org.lagbench.core.clock.ClockState.Source;
import org.lagbench.core.clock.TimeDaemons.TimeDaemon;
import org.lagbench.core.time.RealtimeClock;

/** Finds out who keeps this host's clock and how well. */
public final class ClockStates {
    private static final Path PROC = Path.of("/proc");

    private ClockStates() {}

    /**
     * Asks this host's chronyd. Never fails: what cannot be known is said in the state. Blocks as
     * {@link ChronyClient#tracking} does; takes less than a millisecond if chronyd answers, and some more to look
     * through the processes if it does not.
     */
    public static ClockState ask(ChronyClient chronyd) {
        return ask(chronyd, PROC);
    }

    static ClockState ask(ChronyClient chronyd, Path proc) {
        String bootId = BootId.current();
        long beforeNs = RealtimeClock.nowNs();
        try {
            ChronyTracking tracking = chronyd.tracking();
            long afterNs = RealtimeClock.nowNs();
            return ClockState.told(beforeNs + (afterNs - beforeNs) / 2, bootId, tracking);
        } catch (ChronyException e) {
            return untold(beforeNs, bootId, chronyd.address(), e, TimeDaemons.running(proc));
        }
    }

    private static ClockState untold(
            long atNs, String bootId, String address, ChronyException failure, List<TimeDaemon> daemons) {
        if (failure.kind() == Kind.REFUSED) {
            return state(
                    atNs,
                    bootId,
                    Source.FORBIDDEN,
                    "chronyd at " + address + " refuses to tell its state (" + failure.reason()
                            + "): allow it in its configuration, and see that its version is 2.2 or later.");
        }
        String silent = "no chronyd answers at " + address + " (" + failure.reason() + ")";
        for (TimeDaemon daemon : daemons) {
            if (daemon.name().equals(TimeDaemons.CHRONYD)) {
                return state(
                        atNs,
                        bootId,
                        Source.FORBIDDEN,
                        daemon + " runs on this host, but " + silent + ": take \"cmdport 0\" and \"cmddeny\" out of its"
                                + " configuration, or give the port that it has.");
            }
        }
        if (!daemons.isEmpty()) {
            return state(
                    atNs,
                    bootId,
                    Source.OTHER_DAEMON,
                    daemons.get(0) + " keeps this host's clock, which does not tell lagbench how far it is off: use"
                            + " chrony in its place.");
        }
        return state(
                atNs,
                bootId,
                Source.NO_DAEMON,
                "Nothing keeps this host's clock: " + silent + " and no other time daemon was seen. Install chrony"
                        + " (sudo apt-get install chrony) and start it.");
    }

    private static ClockState state(long atNs, String bootId, Source source, String sentence) {
        return new ClockState(atNs, bootId, source, null, null, sentence);
    }
}
