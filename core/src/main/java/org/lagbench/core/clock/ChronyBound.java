package org.lagbench.core.clock;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Computes the bound and the offset of clocks over a run from samples of a synchronized chronyd. */
final class ChronyBound {
    /** chronyd's default {@code maxslewrate}. */
    private static final double SLEW_PPM = 83_333.333;

    private ChronyBound() {}

    /**
     * Returns the largest bound from the first sample to the last, in ns. Between two samples a bound grows, as in
     * chronyd, by skew + |residual frequency| + 1 ppm until the clock's next update.
     *
     * @param states all of a synchronized chronyd
     */
    static long largestNs(List<ClockState> states) {
        long largest = 0;
        for (int i = 0; i < states.size(); i++) {
            ClockState state = states.get(i);
            long untilNextNs =
                    i + 1 < states.size() ? Math.abs(states.get(i + 1).atNs() - state.atNs()) : 0;
            ChronyTracking tracking = tracking(state);
            long untilUpdateNs = (long) Math.min((double) untilNextNs, tracking.updateIntervalS() * 1e9);
            largest = Math.max(
                    largest,
                    tracking.boundNs() + OffsetInterval.driftNs(Math.max(0, untilUpdateNs), tracking.errorGrowthPpm()));
        }
        return largest;
    }

    /** Returns whether chronyd used the host's own clock as its reference in any sample. */
    static boolean isLocalReference(List<ClockState> states) {
        return states.stream().map(ChronyBound::tracking).anyMatch(ChronyTracking::isLocalReference);
    }

    /**
     * Returns the offset of the samples nearest to a time, widened by how far the clocks may have moved between: they
     * drifted, and chronyd slewed away what it had not yet corrected.
     */
    static ChronyOffset offsetAt(List<ClockState> sender, List<ClockState> receiver, OffsetInterval at) {
        ClockState nearestSender = nearest(sender, at.senderAtNs());
        ClockState nearestReceiver = nearest(receiver, at.receiverAtNs());
        long changeNs =
                largestChangeNs(nearestSender, at.senderAtNs()) + largestChangeNs(nearestReceiver, at.receiverAtNs());
        return ChronyOffset.of(tracking(nearestSender), tracking(nearestReceiver))
                .widened(changeNs);
    }

    private static long largestChangeNs(ClockState state, long atNs) {
        long elapsedNs = Math.abs(state.atNs() - atNs);
        long slewNs = (long) Math.ceil(Math.min(
                Math.abs(tracking(state).correctionNs()), (double) OffsetInterval.driftNs(elapsedNs, SLEW_PPM)));
        return OffsetInterval.driftNs(elapsedNs, OffsetInterval.LARGEST_DRIFT_PPM) + slewNs;
    }

    private static ClockState nearest(List<ClockState> states, long atNs) {
        return states.stream()
                .min(Comparator.comparingLong(state -> Math.abs(state.atNs() - atNs)))
                .orElseThrow();
    }

    private static ChronyTracking tracking(ClockState state) {
        return Objects.requireNonNull(state.tracking());
    }
}
