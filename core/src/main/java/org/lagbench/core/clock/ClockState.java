package org.lagbench.core.clock;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was known of one host's clock at one time.
 *
 * @param atNs when it was asked, on that clock, in ns since the epoch
 * @param bootId the kernel's boot identifier: two states with the same are of one clock
 * @param source who keeps the clock, or why that is not known
 * @param tracking what chronyd said; null if it did not tell
 * @param boundNs how far the clock may be from its reference's time, in ns; null unless chronyd keeps it synchronized
 * @param sentence what was found and what to do about it, for the user; says "this host"
 */
public record ClockState(
        long atNs,
        String bootId,
        Source source,
        @Nullable ChronyTracking tracking,
        @Nullable Long boundNs,
        String sentence) {
    /** Who keeps a clock. */
    public enum Source {
        /** chronyd keeps it synchronized and says how well. */
        CHRONY,
        /** chronyd answers, but has not synchronized it. */
        UNSYNCHRONIZED,
        /** Nobody answers, and no time daemon was seen. */
        NO_DAEMON,
        /** Another time daemon was seen, which is not asked. */
        OTHER_DAEMON,
        /** A chronyd runs that does not answer, or one answers that refuses to tell. */
        FORBIDDEN
    }

    public ClockState {
        Objects.requireNonNull(bootId);
        Objects.requireNonNull(source);
        Objects.requireNonNull(sentence);
        if ((source == Source.CHRONY) != (boundNs != null) || (boundNs != null && tracking == null)) {
            throw new IllegalArgumentException("clock " + source + " with bound " + boundNs + " and " + tracking);
        }
    }

    /** What a synchronized or unsynchronized chronyd has told. */
    static ClockState told(long atNs, String bootId, ChronyTracking tracking) {
        if (tracking.leap() == ChronyTracking.Leap.UNSYNCHRONIZED) {
            return new ClockState(
                    atNs,
                    bootId,
                    Source.UNSYNCHRONIZED,
                    tracking,
                    null,
                    "chronyd runs on this host but has not synchronized the clock: wait a little, or see with"
                            + " \"chronyc sources -v\" why it takes none of its servers.");
        }
        String followed = tracking.isLocalReference()
                ? "takes this host's own clock for the true time"
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
}
