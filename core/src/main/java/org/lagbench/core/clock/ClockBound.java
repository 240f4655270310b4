package org.lagbench.core.clock;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockState.Source;

/**
 * How far every lag of a run may be off because of the two clocks: the true lag is the measured one ± bound.
 *
 * <p>Three things can tell, in this order. On one kernel both sides read the same clock. Where chronyd kept both clocks
 * synchronized to one time all along, the bound is the sum of both hosts' |correction| + root dispersion + root delay /
 * 2 (see {@link ChronyOffset} for why), at their largest during the run. Everything else is left to the two-way
 * exchanges, which prove the offset to within a round trip. They also check what chrony says: where the two cannot both
 * be true, the exchanges count, as they rest on nothing but that no message comes before it was sent.
 *
 * <p>A step of a clock makes the bound wider by its size, as nobody knows on which packets it fell.
 *
 * @param boundNs largest error of a lag, in ns; null if nothing is known
 * @param basis what the bound rests on
 * @param marks what the reader of the run's lags must know about its clocks, a sentence each; empty if all was well
 */
public record ClockBound(@Nullable Long boundNs, Basis basis, List<String> marks) {
    /** What a bound rests on. */
    public enum Basis {
        /** One kernel, so one clock: its resolution. */
        SAME_KERNEL,
        /** What both hosts' chronyd say. */
        CHRONY,
        /** What the two-way exchanges prove. */
        TWO_WAY,
        /** Nothing: there is no bound. */
        NOTHING;

        /** The name in files and messages: "two-way". */
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
     * The bound of a run.
     *
     * @param sameKernel whether both sides have one boot identifier
     * @param resolutionNs resolution of the sender's clock
     * @param sender the sender's clock from before the first packet until after the last
     * @param receiver the receiver's clock likewise
     * @param twoWay what bursts of exchanges before, during and after the run prove, in the order they were made
     */
    public static ClockBound of(
            boolean sameKernel,
            long resolutionNs,
            ClockHistory sender,
            ClockHistory receiver,
            List<OffsetInterval> twoWay) {
        return new Reckoning(sender, receiver, twoWay).bound(sameKernel, resolutionNs);
    }

    /** One bound on its way. */
    private static final class Reckoning {
        private final ClockHistory sender;
        private final ClockHistory receiver;
        private final List<OffsetInterval> twoWay;
        private final boolean contradictoryBursts;
        private final List<String> marks = new ArrayList<>();

        Reckoning(ClockHistory sender, ClockHistory receiver, List<OffsetInterval> twoWay) {
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
                // Both sides watch the one clock, and may each have seen the same steps.
                ClockHistory watcher = sender.totalStepNs() >= receiver.totalStepNs() ? sender : receiver;
                markSteps("The clock", watcher);
                return new ClockBound(resolutionNs + watcher.totalStepNs(), Basis.SAME_KERNEL, marks);
            }
            markSteps("The sender's clock", sender);
            markSteps("The receiver's clock", receiver);
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
                marks.add(
                        "No two-way exchange bounds the offset of the clocks: nothing is known of how far the lags are"
                                + " off.");
                return new ClockBound(null, Basis.NOTHING, marks);
            }
            List<OffsetInterval> together = TwoWayBound.together(twoWay);
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
                marks.add(clock + " was stepped by " + NanosecondsText.signed(step.sizeNs()) + " at "
                        + NanosecondsText.time(step.atNs())
                        + ": lags from before and after are not of the same clocks; the bound is wider by the step.");
            }
        }

        private boolean isSynchronizedThroughout(String side, ClockHistory history) {
            if (history.states().isEmpty()) {
                marks.add("Nobody asked who keeps the " + side + "'s clock.");
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
                marks.add("Both hosts' chronyd take their own clock for the true time (\"local stratum\"), so that"
                        + " neither knows how far it is from the other: make one the other's server.");
                return false;
            }
            return true;
        }

        private boolean contradictsChrony() {
            for (OffsetInterval proved : twoWay) {
                ChronyOffset said = ChronyBound.offsetAt(sender.states(), receiver.states(), proved);
                if (!said.overlaps(proved)) {
                    marks.add("At " + NanosecondsText.time(proved.senderAtNs())
                            + " the two hosts' chronyd said that the receiver's clock was ahead by "
                            + NanosecondsText.signed(said.lowerNs()) + " to " + NanosecondsText.signed(said.upperNs())
                            + ", but the two-way exchanges prove " + NanosecondsText.signed(proved.lowerNs()) + " to "
                            + NanosecondsText.signed(proved.upperNs())
                            + ". No asymmetry of the path explains that: one chronyd is wrong (do both follow the same"
                            + " time?), or a clock was stepped. The bound is that of the exchanges.");
                    return true;
                }
            }
            return false;
        }
    }
}
