package org.lagbench.core.clock;

import java.nio.file.Path;
import java.util.List;
import org.lagbench.core.clock.ChronyException.Kind;
import org.lagbench.core.clock.ClockState.Source;
import org.lagbench.core.clock.TimeDaemons.TimeDaemon;

/** Determines what synchronizes this host's clock, and how well. */
public final class ClockStates {
    private static final Path PROC = Path.of("/proc");

    private ClockStates() {}

    /**
     * Asks this host's chronyd. Never fails: the state says what is unknown. Blocks as {@link ChronyClient#tracking}
     * does, and searches the processes for time daemons if chronyd does not answer.
     */
    public static ClockState ask(ChronyClient chronyd) {
        return ask(chronyd, PROC);
    }

    static ClockState ask(ChronyClient chronyd, Path proc) {
        String bootId = KernelIdentity.bootId();
        long beforeNs = RealtimeClock.nowNs();
        try {
            ChronyTracking tracking = chronyd.tracking();
            long afterNs = RealtimeClock.nowNs();
            return ClockState.of(beforeNs + (afterNs - beforeNs) / 2, bootId, tracking);
        } catch (ChronyException e) {
            return unanswered(beforeNs, bootId, chronyd.address(), e, TimeDaemons.running(proc));
        }
    }

    private static ClockState unanswered(
            long atNs, String bootId, String address, ChronyException failure, List<TimeDaemon> daemons) {
        if (failure.kind() == Kind.REFUSED) {
            return state(
                    atNs,
                    bootId,
                    Source.FORBIDDEN,
                    "chronyd at " + address + " refuses to report its state (" + failure.reason()
                            + "): allow it in its configuration, and check that its version is 2.2 or later.");
        }
        String silent = "no chronyd answers at " + address + " (" + failure.reason() + ")";
        for (TimeDaemon daemon : daemons) {
            if (daemon.name().equals(TimeDaemons.CHRONYD)) {
                return state(
                        atNs,
                        bootId,
                        Source.FORBIDDEN,
                        daemon + " runs on this host, but " + silent + ": remove \"cmdport 0\" and \"cmddeny\" from its"
                                + " configuration, or set its port with --chrony.");
            }
        }
        if (!daemons.isEmpty()) {
            return state(
                    atNs,
                    bootId,
                    Source.OTHER_DAEMON,
                    daemons.get(0)
                            + " keeps this host's clock, and lagbench cannot ask it for the clock's error: use chrony"
                            + " instead.");
        }
        return state(
                atNs,
                bootId,
                Source.NO_DAEMON,
                "Nothing keeps this host's clock: " + silent + " and no other time daemon runs. Install chrony"
                        + " (sudo apt-get install chrony) and start it.");
    }

    private static ClockState state(long atNs, String bootId, Source source, String sentence) {
        return new ClockState(atNs, bootId, source, null, null, sentence);
    }
}
