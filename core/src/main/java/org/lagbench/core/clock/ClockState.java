package org.lagbench.core.clock;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ChronyClient.ChronyException;
import org.lagbench.core.clock.ChronyClient.ChronyException.Kind;
import org.lagbench.core.clock.TimeDaemons.TimeDaemon;
import org.lagbench.core.file.Within;

/**
 * The state of one host's clock at one time.
 *
 * @param atNs the time, on that clock, in ns since the epoch
 * @param bootId the kernel's boot identifier, which cloned VMs share
 * @param source what synchronizes the clock, or why that is unknown
 * @param tracking chronyd's report; null if there is none
 * @param boundNs largest difference from the reference's time, in ns; null unless chronyd keeps the clock synchronized
 * @param sentence the finding and what to do about it, for the user; says "this host"
 */
public record ClockState(
        @Within(max = Within.LATEST_NS) long atNs,
        String bootId,
        Source source,
        @Nullable ChronyTracking tracking,
        @Within(max = Within.LATEST_NS) @Nullable Long boundNs,
        @Within(max = Within.TEXT) String sentence) {
    /** What synchronizes a clock. */
    public enum Source {
        /** chronyd keeps the clock synchronized and reports how well. */
        CHRONY,
        /** chronyd answers, but has not synchronized the clock. */
        UNSYNCHRONIZED,
        /** No chronyd answers, and no time daemon runs. */
        NO_DAEMON,
        /** Another time daemon runs, which lagbench cannot ask. */
        OTHER_DAEMON,
        /** chronyd runs but does not answer, or refuses the request. */
        FORBIDDEN
    }

    private static final Path PROC = Path.of("/proc");

    public ClockState {
        if ((source == Source.CHRONY) != (boundNs != null) || (boundNs != null && tracking == null)) {
            throw new IllegalArgumentException(
                    "a clock has a bound and chronyd's report if and only if chronyd synchronizes it: source " + source
                            + ", bound " + boundNs + ", report " + tracking);
        }
    }

    /** Returns the state from a report of chronyd. */
    static ClockState of(long atNs, String bootId, ChronyTracking tracking) {
        if (tracking.leap() == ChronyTracking.Leap.UNSYNCHRONIZED) {
            return new ClockState(
                    atNs,
                    bootId,
                    Source.UNSYNCHRONIZED,
                    tracking,
                    null,
                    "chronyd runs on this host but has not synchronized the clock: wait, or check with \"chronyc"
                            + " sources -v\" why it selects none of its servers.");
        }
        String followed = tracking.isLocalReference()
                ? "uses this host's own clock as reference"
                : "follows "
                        + (tracking.referenceAddress() == null ? "a reference clock" : tracking.referenceAddress());
        long boundNs = tracking.boundNs();
        String sentence = "chronyd " + followed + " (stratum " + tracking.stratum() + ") to within "
                + NanosecondsText.duration(boundNs) + ": not yet corrected "
                + NanosecondsText.signed(tracking.correctionNs()) + ", root dispersion "
                + NanosecondsText.duration(tracking.rootDispersionNs()) + ", root delay "
                + NanosecondsText.duration(tracking.rootDelayNs()) + ".";
        return new ClockState(atNs, bootId, Source.CHRONY, tracking, boundNs, sentence);
    }

    /**
     * Asks this host's chronyd. Never fails: the state reports what is unknown. Blocks as {@link ChronyClient#tracking}
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
            return of(beforeNs + (afterNs - beforeNs) / 2, bootId, tracking);
        } catch (ChronyException e) {
            return unanswered(beforeNs, bootId, chronyd.address(), e, TimeDaemons.running(proc));
        }
    }

    private static ClockState unanswered(
            long atNs, String bootId, String address, ChronyException failure, List<TimeDaemon> daemons) {
        String silent = "no chronyd answers at " + address + " (" + failure.reason() + ")";
        TimeDaemon chronyd = daemons.stream()
                .filter(daemon -> daemon.name().equals(TimeDaemons.CHRONYD))
                .findFirst()
                .orElse(null);
        Source source = Source.FORBIDDEN;
        String sentence;
        if (failure.kind() == Kind.REFUSED) {
            sentence = "chronyd at " + address + " refuses to report its state (" + failure.reason()
                    + "): allow it in its configuration, and check that its version is 2.2 or later.";
        } else if (chronyd != null) {
            sentence = chronyd + " runs on this host, but " + silent + ": remove \"cmdport 0\" and \"cmddeny\" from its"
                    + " configuration, or set its port with --chrony.";
        } else if (!daemons.isEmpty()) {
            source = Source.OTHER_DAEMON;
            sentence =
                    daemons.get(0) + " keeps this host's clock, and lagbench cannot ask it for the clock's error: use"
                            + " chrony instead.";
        } else {
            source = Source.NO_DAEMON;
            sentence = "Nothing keeps this host's clock: " + silent + " and no other time daemon runs. Install chrony"
                    + " (sudo apt-get install chrony) and start it.";
        }
        return new ClockState(atNs, bootId, source, null, null, sentence);
    }
}
