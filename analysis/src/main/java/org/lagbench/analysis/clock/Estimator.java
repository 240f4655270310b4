package org.lagbench.analysis.clock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.OffsetEstimate.OffsetLine;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.clock.ChronyTracking;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.text.Units;

/** An estimator of the clock offset of a run. */
public enum Estimator {
    /** By the reports of both hosts' chronyd: {@link #ofChrony}. */
    CHRONY("chrony", "chrony"),
    /** By the stamps of two-way exchanges: {@link #ofTwoWay}. */
    TWO_WAY("two-way", "stamps"),
    /**
     * By the hulls of one-way stamps (Moon, Skelly and Towsley, "Estimation and Removal of Clock Skew from Network
     * Delay Measurements", INFOCOM 1999). Forward points are received − sent of packets and requests; backward points
     * are replied − returned of replies. Their method fits a line to the lower hull of one direction. Both directions
     * have the same skew. So this fit takes two parallel lines, one below all forward and one above all backward
     * points, as far apart as possible. Their slope is the skew. The offset is halfway between lines of that slope
     * through requests and replies alone, because these have equal sizes and packets may be faster than either.
     *
     * <p>Takes one pass through the captures, and memory for the corners of the hulls only.
     */
    HULL("hull", "stamps");

    private static final int WINDOWS = 20;

    /** The smallest number of exchanges for a skew: the slope of a line through fewer means nothing. */
    private static final int MIN_FOR_SKEW = 3;

    private final String text;
    private final String basis;

    Estimator(String text, String basis) {
        this.text = text;
        this.basis = basis;
    }

    /** Returns the name in tables and files. */
    public String text() {
        return text;
    }

    /** Returns where the estimate comes from, for a table. */
    public String basis() {
        return basis;
    }

    /**
     * Estimates the offset in each part of a run between steps; empty if the run has not recorded the data for it, or
     * if a clock was stepped and the estimator is chrony: chronyd reports the offset from before a step for some time.
     */
    public List<OffsetEstimate> estimate(
            JoinedRun run, RunRecord.@Nullable Clock clock, List<SteadyPart> parts, boolean isStepped)
            throws LagbenchException {
        List<OffsetEstimate> estimates = new ArrayList<>();
        if (this == CHRONY) {
            OffsetEstimate estimate = isStepped ? null : ofChrony(clock);
            return estimate == null ? List.of() : List.of(estimate);
        }
        for (SteadyPart part : parts) {
            TwoWayStamps stamps = part.stamps();
            if (stamps != null) {
                long fromNs = part.fromNs(run, stamps);
                long untilNs = part.untilNs(run, stamps);
                estimates.add(
                        this == TWO_WAY
                                ? ofTwoWay(stamps, fromNs, untilNs)
                                : ofHulls(stamps, part.lines(run, stamps), fromNs, untilNs));
            }
        }
        return estimates;
    }

    static OffsetEstimate ofHulls(TwoWayStamps stamps, OffsetLines all, long fromNs, long untilNs) {
        return OffsetEstimate.of(all.middleBetween(OffsetLines.of(stamps)), stamps, all, fromNs, untilNs);
    }

    /**
     * Offset and skew as both hosts' chronyd measured them. On each host chronyd reports: true time = clock reading +
     * correction ± (root dispersion + root delay / 2). So the receiver's clock is ahead by the sender's correction
     * minus the receiver's. A least-squares line is fitted to each side's samples from before, during and after the
     * run. A sample's distance from the line adds to its uncertainty.
     *
     * <p>A daemon that does not set the clock reports the clock's whole error as correction. Then this offset is far
     * more exact than the clock bound, which contains the correction.
     *
     * @return null unless the bound of the run is chrony's
     */
    private static @Nullable OffsetEstimate ofChrony(RunRecord.@Nullable Clock clock) {
        if (clock == null || clock.basis() != ClockBound.Basis.CHRONY) {
            return null;
        }
        List<ClockState> sender = clock.sender().states();
        List<ClockState> receiver = clock.receiver().states();
        if (Math.min(sender.size(), receiver.size()) < 2) {
            return null;
        }
        long firstNs = sender.get(0).atNs();
        long lastNs = sender.get(sender.size() - 1).atNs();
        long originNs = firstNs + (lastNs - firstNs) / 2;
        SimpleRegression ofSender = line(sender, originNs);
        SimpleRegression ofReceiver = line(receiver, originNs);
        double offsetNs = ofSender.getIntercept() - ofReceiver.getIntercept();
        double uncertaintyNs =
                uncertaintyNs(sender, originNs, ofSender) + uncertaintyNs(receiver, originNs, ofReceiver);
        long wholeNs = Math.round(offsetNs);
        OffsetLine line = new OffsetLine(
                originNs - Math.round(ofSender.getIntercept()),
                wholeNs,
                offsetNs - wholeNs,
                ofSender.getSlope() - ofReceiver.getSlope());
        return new OffsetEstimate(
                line, originNs, (long) Math.ceil(uncertaintyNs), 2 * uncertaintyNs / (lastNs - firstNs) * Units.PPM);
    }

    /** Returns the line through the corrections of a side, over the true time since the origin. */
    private static SimpleRegression line(List<ClockState> states, long originNs) {
        SimpleRegression line = new SimpleRegression();
        states.forEach(state -> line.addData(trueNs(state, originNs), correctionNs(state)));
        return line;
    }

    private static double trueNs(ClockState state, long originNs) {
        return state.atNs() - originNs + correctionNs(state);
    }

    private static double uncertaintyNs(List<ClockState> states, long originNs, SimpleRegression line) {
        double max = 0;
        for (int i = 0; i < states.size(); i++) {
            ClockState state = states.get(i);
            long untilNs = states.get(Math.min(i + 1, states.size() - 1)).atNs();
            double offNs = Math.abs(correctionNs(state) - line.predict(trueNs(state, originNs)));
            max = Math.max(max, offNs + tracking(state).correctedBoundNs() + growthNs(state, untilNs));
        }
        return max;
    }

    /** Returns how much chronyd's error grows until its next update or the next sample. */
    private static double growthNs(ClockState state, long untilNs) {
        ChronyTracking tracking = tracking(state);
        double elapsedNs = Math.min((double) (untilNs - state.atNs()), tracking.updateIntervalS() * 1e9);
        return Math.max(0, elapsedNs) * tracking.errorGrowthPpm() / Units.PPM;
    }

    private static double correctionNs(ClockState state) {
        return tracking(state).correctionNs();
    }

    private static ChronyTracking tracking(ClockState state) {
        return Objects.requireNonNull(state.tracking());
    }

    /**
     * Offset and skew by two-way stamps. An exchange estimates the offset as ((received − sent) + (replied − returned))
     * / 2, with an error of at most half its round trip (RFC 5905 §8). A short round trip had little queueing. So the
     * fit takes the exchange with the shortest round trip of each of {@value #WINDOWS} windows (the clock filter, RFC
     * 5905 §10). It keeps the shorter half of these, and computes the least-squares line through them.
     *
     * <p>With too few exchanges the skew is 0, and its uncertainty covers the error of that value.
     *
     * @param fromNs the earliest time for which the uncertainty holds, by the sender's clock
     * @param untilNs the latest time
     */
    static OffsetEstimate ofTwoWay(TwoWayStamps stamps, long fromNs, long untilNs) {
        List<TwoWayExchange> exchanges = shortestOfWindows(stamps);
        TwoWayExchange shortest = exchanges.get(0);
        long originNs = stamps.midSpanNs();
        long baseNs = shortest.upperNs();
        SimpleRegression regression = new SimpleRegression();
        for (TwoWayExchange exchange : exchanges) {
            double atNs = ((exchange.sentNs() - originNs) + (exchange.returnedNs() - originNs)) / 2.0;
            double restNs = ((exchange.upperNs() - baseNs) + (exchange.lowerNs() - baseNs)) / 2.0;
            regression.addData(atNs, restNs);
        }
        OffsetLine line = exchanges.size() < MIN_FOR_SKEW
                ? new OffsetLine(originNs, baseNs, -shortest.roundTripNs() / 2.0, 0)
                : new OffsetLine(originNs, baseNs, regression.getIntercept(), regression.getSlope());
        return OffsetEstimate.of(line, stamps, OffsetLines.of(stamps), fromNs, untilNs);
    }

    /** Returns the exchanges to fit, the one with the shortest round trip first. */
    private static List<TwoWayExchange> shortestOfWindows(TwoWayStamps stamps) {
        TwoWayExchange[] shortest = new TwoWayExchange[WINDOWS];
        long windowNs = Math.max(0, stamps.lastNs() - stamps.firstNs()) / WINDOWS + 1;
        for (TwoWayExchange exchange : stamps.exchanges()) {
            // only a clock step puts an exchange outside the windows
            long place = (exchange.sentNs() - stamps.firstNs()) / windowNs;
            int window = (int) Math.max(0, Math.min(WINDOWS - 1, place));
            if (shortest[window] == null || exchange.roundTripNs() < shortest[window].roundTripNs()) {
                shortest[window] = exchange;
            }
        }
        List<TwoWayExchange> sorted = Arrays.stream(shortest)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(TwoWayExchange::roundTripNs))
                .toList();
        int half = (sorted.size() + 1) / 2;
        return sorted.subList(0, Math.min(sorted.size(), Math.max(MIN_FOR_SKEW, half)));
    }
}
