package org.lagbench.core.clock;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockState.Source;

/**
 * The largest error of a run's lags because of the two clocks: the true lag is the measured one ± bound.
 *
 * <p>There are three sources, in this order. On one kernel both sides read the same clock. If chronyd kept both clocks
 * synchronized throughout, the bound is the sum of both hosts' |correction| + root dispersion + root delay / 2 (see
 * {@link ChronyOffset}), at their largest during the run. Otherwise the two-way exchanges prove the offset to within a
 * round trip. They also check chrony: where the two contradict each other the exchanges count, because they rest only
 * on the fact that no message arrives before it was sent.
 *
 * <p>A clock step widens the bound by its size, because the packets that it affected are unknown.
 *
 * @param boundNs largest error of a lag, in ns; null if unknown
 * @param basis the basis of the bound
 * @param marks warnings about the clocks, one sentence each; empty if there are none
 */
public record ClockBound(@Nullable Long boundNs, Basis basis, List<String> marks) {
    /** The name of the sender's clock for {@link ClockHistory.ClockStep#sentence}. */
    public static final String SENDERS_CLOCK = "The sender's clock";

    public static final String RECEIVERS_CLOCK = "The receiver's clock";

    /** chronyd's default {@code maxslewrate}. */
    private static final double SLEW_PPM = 83_333.333;

    /** How a bound was found. */
    public enum Basis {
        /** Both sides run on one kernel and so on one clock; the bound is the clock's resolution. */
        SAME_KERNEL,
        /** The reports of both hosts' chronyd. */
        CHRONY,
        /** The stamps of the two-way exchanges. */
        TWO_WAY,
        /** There is no bound. */
        NOTHING;

        /** Returns the name in files and messages: "two-way". */
        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public ClockBound {
        marks = List.copyOf(marks);
    }

    /**
     * Returns the bound of a run.
     *
     * @param sameKernel whether both sides have the same boot identifier
     * @param resolutionNs resolution of the sender's clock
     * @param sender the sender's clock from before the first packet until after the last
     * @param receiver the receiver's clock likewise
     * @param twoWay the offsets from bursts of exchanges before, during and after the run, in their order
     */
    public static ClockBound of(
            boolean sameKernel,
            long resolutionNs,
            ClockHistory sender,
            ClockHistory receiver,
            List<OffsetInterval> twoWay) {
        return new Computation(sender, receiver, twoWay).bound(sameKernel, resolutionNs);
    }

    /** The computation of one bound. */
    private static final class Computation {
        private final ClockHistory sender;
        private final ClockHistory receiver;
        private final List<OffsetInterval> twoWay;
        private final boolean contradictoryBursts;
        private final List<String> marks = new ArrayList<>();

        Computation(ClockHistory sender, ClockHistory receiver, List<OffsetInterval> twoWay) {
            this.sender = sender;
            this.receiver = receiver;
            this.twoWay =
                    twoWay.stream().filter(interval -> !interval.isEmpty()).toList();
            contradictoryBursts = this.twoWay.size() < twoWay.size();
            if (contradictoryBursts) {
                marks.add((twoWay.size() - this.twoWay.size()) + " of " + twoWay.size() + " bursts of two-way exchanges"
                        + " contradict themselves: a clock was stepped, or drifted by more than "
                        + OffsetInterval.LARGEST_DRIFT_PPM + " ppm, while they lasted.");
            }
        }

        ClockBound bound(boolean sameKernel, long resolutionNs) {
            if (sameKernel) {
                // Both sides watch the same clock, and each may have seen the same steps.
                ClockHistory watcher = sender.totalStepNs() >= receiver.totalStepNs() ? sender : receiver;
                markSteps("The clock", watcher);
                return new ClockBound(resolutionNs + watcher.totalStepNs(), Basis.SAME_KERNEL, marks);
            }
            markSteps(SENDERS_CLOCK, sender);
            markSteps(RECEIVERS_CLOCK, receiver);
            boolean senderSynchronized = isSynchronizedThroughout("sender", sender);
            boolean receiverSynchronized = isSynchronizedThroughout("receiver", receiver);
            if (senderSynchronized && receiverSynchronized && followOneTime() && !contradictsChrony()) {
                long boundNs = largestChronyNs(sender.states()) + largestChronyNs(receiver.states());
                return new ClockBound(boundNs + stepsNs(), Basis.CHRONY, marks);
            }
            return twoWayBound();
        }

        private ClockBound twoWayBound() {
            if (twoWay.isEmpty()) {
                marks.add("No two-way exchange bounds the offset of the clocks: the error of the lags is unknown.");
                return new ClockBound(null, Basis.NOTHING, marks);
            }
            List<OffsetInterval> together = intersectAll(twoWay);
            boolean contradictory = together.stream().anyMatch(OffsetInterval::isEmpty);
            if (contradictory && stepsNs() == 0) {
                marks.add("The two-way exchanges of different times contradict each other: the offset of the clocks"
                        + " changed by more than " + OffsetInterval.LARGEST_DRIFT_PPM + " ppm of the time between, so"
                        + " that one of them was stepped or slewed.");
            }
            boolean steady = !contradictory && !contradictoryBursts && stepsNs() == 0;
            long boundNs = steady ? steadyNs(together) : steppedNs(twoWay);
            return new ClockBound(boundNs + stepsNs(), Basis.TWO_WAY, marks);
        }

        private long stepsNs() {
            return sender.totalStepNs() + receiver.totalStepNs();
        }

        private void markSteps(String clock, ClockHistory history) {
            for (ClockHistory.ClockStep step : history.steps()) {
                marks.add(step.sentence(clock));
            }
        }

        private boolean isSynchronizedThroughout(String side, ClockHistory history) {
            if (history.states().isEmpty()) {
                marks.add("The time daemon of the " + side + "'s clock was not queried.");
                return false;
            }
            ClockState first = history.states().get(0);
            for (ClockState state : history.states()) {
                if (state.source() != Source.CHRONY) {
                    String since = first.source() == Source.CHRONY
                            ? " was no longer kept by chrony "
                                    + NanosecondsText.duration(state.atNs() - first.atNs())
                                    + " after it was first asked"
                            : " was not kept by chrony";
                    marks.add("The " + side + "'s clock" + since + ". On that host: " + state.sentence());
                    return false;
                }
            }
            return true;
        }

        private boolean followOneTime() {
            if (isLocalReference(sender.states()) && isLocalReference(receiver.states())) {
                marks.add("Both hosts' chronyd use their own clock as reference (\"local stratum\"), so neither"
                        + " knows its offset from the other: make one the other's server.");
                return false;
            }
            return true;
        }

        private boolean contradictsChrony() {
            for (OffsetInterval proved : twoWay) {
                ChronyOffset reported = chronyOffsetAt(sender.states(), receiver.states(), proved);
                if (!reported.overlaps(proved)) {
                    marks.add("At " + NanosecondsText.time(proved.senderAtNs())
                            + " the two hosts' chronyd reported that the receiver's clock was ahead by "
                            + NanosecondsText.signed(reported.lowerNs()) + " to "
                            + NanosecondsText.signed(reported.upperNs())
                            + ", but the two-way exchanges prove " + NanosecondsText.signed(proved.lowerNs()) + " to "
                            + NanosecondsText.signed(proved.upperNs())
                            + ". No path asymmetry explains that: one chronyd is wrong (do both follow the same"
                            + " time?), or a clock was stepped. The bound is that of the exchanges.");
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Returns the largest bound from the first sample to the last, in ns. Between two samples a bound grows, as in
     * chronyd, by skew + |residual frequency| + 1 ppm until the clock's next update.
     *
     * @param states all of a synchronized chronyd
     */
    private static long largestChronyNs(List<ClockState> states) {
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
    private static boolean isLocalReference(List<ClockState> states) {
        return states.stream().map(ClockBound::tracking).anyMatch(ChronyTracking::isLocalReference);
    }

    /**
     * Returns the offset of the samples nearest to a time, widened by the maximum movement of the clocks in between:
     * they drifted, and chronyd slewed away what it had not yet corrected.
     */
    private static ChronyOffset chronyOffsetAt(List<ClockState> sender, List<ClockState> receiver, OffsetInterval at) {
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

    /**
     * Intersects, at the time of each interval, all intervals widened by the drift between. So a delayed burst does no
     * harm. Valid if no clock was stepped; an empty interval in the result means that the intervals contradict each
     * other.
     *
     * @param intervals in the order of time
     */
    private static List<OffsetInterval> intersectAll(List<OffsetInterval> intervals) {
        List<OffsetInterval> all = new ArrayList<>(intervals);
        for (int i = 1; i < all.size(); i++) {
            all.set(i, all.get(i).intersect(all.get(i - 1), OffsetInterval.LARGEST_DRIFT_PPM));
        }
        for (int i = all.size() - 2; i >= 0; i--) {
            all.set(i, all.get(i).intersect(all.get(i + 1), OffsetInterval.LARGEST_DRIFT_PPM));
        }
        return all;
    }

    /**
     * Returns the bound on |offset| from the first interval to the last, in ns. Between two intervals with the upper
     * ends U₁ and U₂ the offset can rise, at the largest drift, to at most (U₁ + U₂ + drift) / 2, and likewise fall.
     *
     * @param intervals one or more, none of them empty, in the order of time
     */
    private static long steadyNs(List<OffsetInterval> intervals) {
        long largest = intervals.get(0).largestNs();
        for (int i = 1; i < intervals.size(); i++) {
            OffsetInterval before = intervals.get(i - 1);
            OffsetInterval after = intervals.get(i);
            long driftNs = driftNs(before, after);
            long highest = halfUp(before.upperNs() + after.upperNs() + driftNs);
            long lowest = -halfUp(driftNs - before.lowerNs() - after.lowerNs());
            largest = Math.max(largest, Math.max(after.largestNs(), Math.max(highest, -lowest)));
        }
        return largest;
    }

    /**
     * Returns the bound as {@link #steadyNs} does, if a clock was stepped between two intervals: before the step the
     * earlier interval holds, widened by the drift, and after it the later interval.
     */
    private static long steppedNs(List<OffsetInterval> intervals) {
        long largest = intervals.get(0).largestNs();
        for (int i = 1; i < intervals.size(); i++) {
            OffsetInterval before = intervals.get(i - 1);
            OffsetInterval after = intervals.get(i);
            largest = Math.max(largest, Math.max(before.largestNs(), after.largestNs()) + driftNs(before, after));
        }
        return largest;
    }

    private static long driftNs(OffsetInterval before, OffsetInterval after) {
        return OffsetInterval.driftNs(
                Math.abs(after.senderAtNs() - before.senderAtNs()), OffsetInterval.LARGEST_DRIFT_PPM);
    }

    private static long halfUp(long ns) {
        return Math.floorDiv(ns + 1, 2);
    }

    /**
     * The offset of two clocks as reported by their two chronyd: receiver's reading − sender's reading at the same
     * moment.
     *
     * <p>On each host X, chronyd reports: true time = X's reading + correction<sub>X</sub> ± e<sub>X</sub>, with e =
     * root dispersion + root delay / 2. The offset θ = receiver − sender is therefore correction<sub>S</sub> −
     * correction<sub>R</sub> ± (e<sub>S</sub> + e<sub>R</sub>), and |θ| no more than the sum of both hosts'
     * {@link ChronyTracking#boundNs}.
     *
     * @param lowerNs the smallest possible offset in ns
     * @param upperNs the largest possible offset in ns
     */
    public record ChronyOffset(long lowerNs, long upperNs) {
        /** Returns the offset of two hosts that follow the same time, both sampled at about the same moment. */
        public static ChronyOffset of(ChronyTracking sender, ChronyTracking receiver) {
            double offsetNs = sender.correctionNs() - receiver.correctionNs();
            long errorNs = sender.correctedBoundNs() + receiver.correctedBoundNs();
            return new ChronyOffset((long) Math.floor(offsetNs) - errorNs, (long) Math.ceil(offsetNs) + errorNs);
        }

        ChronyOffset widened(long byNs) {
            return new ChronyOffset(lowerNs - byNs, upperNs + byNs);
        }

        /** Returns whether some offset lies both in this range and in that of two-way exchanges. */
        public boolean overlaps(OffsetInterval proved) {
            return lowerNs <= proved.upperNs() && proved.lowerNs() <= upperNs;
        }
    }
}
