package org.lagbench.core.clock;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
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
 * @param marks warnings about the clocks, a sentence each; empty if there are none
 */
public record ClockBound(@Nullable Long boundNs, Basis basis, List<String> marks) {
    /** The name of the sender's clock for {@link ClockStep#sentence}. */
    public static final String SENDERS_CLOCK = "The sender's clock";

    public static final String RECEIVERS_CLOCK = "The receiver's clock";

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
        Objects.requireNonNull(basis);
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
                long boundNs = ChronyBound.largestNs(sender.states()) + ChronyBound.largestNs(receiver.states());
                return new ClockBound(boundNs + stepsNs(), Basis.CHRONY, marks);
            }
            return twoWayBound();
        }

        private ClockBound twoWayBound() {
            if (twoWay.isEmpty()) {
                marks.add("No two-way exchange bounds the offset of the clocks: the error of the lags is unknown.");
                return new ClockBound(null, Basis.NOTHING, marks);
            }
            List<OffsetInterval> together = TwoWayBound.computeAll(twoWay);
            boolean contradictory = together.stream().anyMatch(OffsetInterval::isEmpty);
            if (contradictory && stepsNs() == 0) {
                marks.add("The two-way exchanges of different times contradict each other: the offset of the clocks"
                        + " changed by more than " + OffsetInterval.LARGEST_DRIFT_PPM + " ppm of the time between, so"
                        + " that one of them was stepped or slewed.");
            }
            boolean steady = !contradictory && !contradictoryBursts && stepsNs() == 0;
            long boundNs = steady ? TwoWayBound.steady(together) : TwoWayBound.stepped(twoWay);
            return new ClockBound(boundNs + stepsNs(), Basis.TWO_WAY, marks);
        }

        private long stepsNs() {
            return sender.totalStepNs() + receiver.totalStepNs();
        }

        private void markSteps(String clock, ClockHistory history) {
            for (ClockStep step : history.steps()) {
                marks.add(step.sentence(clock));
            }
        }

        private boolean isSynchronizedThroughout(String side, ClockHistory history) {
            if (history.states().isEmpty()) {
                marks.add("The time daemon of the " + side + "'s clock was not asked.");
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
            if (ChronyBound.isLocalReference(sender.states()) && ChronyBound.isLocalReference(receiver.states())) {
                marks.add("Both hosts' chronyd use their own clock as reference (\"local stratum\"), so neither"
                        + " knows its offset from the other: make one the other's server.");
                return false;
            }
            return true;
        }

        private boolean contradictsChrony() {
            for (OffsetInterval proved : twoWay) {
                ChronyOffset reported = ChronyBound.offsetAt(sender.states(), receiver.states(), proved);
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
}
