package org.lagbench.analysis.clock;

import java.util.List;
import java.util.Objects;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ChronyTracking;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.text.Units;

/**
 * Offset and skew as both hosts' chronyd measured them. On each host chronyd reports: true time = clock reading +
 * correction ± (root dispersion + root delay / 2). So the receiver's clock is ahead by the sender's correction minus
 * the receiver's. A least-squares line is fitted to each side's samples from before, during and after the run. A
 * sample's distance from the line adds to its uncertainty.
 *
 * <p>A daemon that does not set the clock reports the clock's whole error as correction. Then this offset is far more
 * exact than the clock bound, which contains the correction.
 */
final class ChronyFit {
    private ChronyFit() {}

    /** Estimates the offset; returns null unless the bound of the run is chrony's. */
    static @Nullable OffsetEstimate of(RunRecord.@Nullable Clock clock) {
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
        double greatest = 0;
        for (int i = 0; i < states.size(); i++) {
            ClockState state = states.get(i);
            long untilNs = states.get(Math.min(i + 1, states.size() - 1)).atNs();
            double offNs = Math.abs(correctionNs(state) - line.predict(trueNs(state, originNs)));
            greatest = Math.max(greatest, offNs + tracking(state).correctedBoundNs() + growthNs(state, untilNs));
        }
        return greatest;
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
}
