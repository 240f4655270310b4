package org.lagbench.runner.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;

/**
 * Estimates the remaining time of a sweep. A run is expected to take as long as an earlier repeat of the same point.
 * Without one it takes the sum of its packets' intervals and the mean overhead of the earlier runs. Observed windows
 * count until a run was too short to have some, because a kernel refused its observer. Thread-safe.
 */
final class RemainingTime {
    /** Estimate for the start of two JVMs, the warm-up and the drain, until the first run has ended. */
    private static final double FIRST_OVERHEAD_S = 3;

    private final LongSupplier clockNs;
    private final List<RunSpec> runs = new ArrayList<>();
    private final Map<Point, Double> takenS = new HashMap<>();
    private int current;
    private long currentSinceNs;
    private double overheadSumS;
    private int overheads;
    private boolean hasWindows = true;

    /**
     * Creates an estimate without runs.
     *
     * @param clockNs {@link System#nanoTime}, except in tests
     */
    RemainingTime(LongSupplier clockNs) {
        this.clockNs = clockNs;
        this.currentSinceNs = clockNs.getAsLong();
    }

    /** Adds runs that will be executed after those before, in this order. */
    synchronized void add(List<RunSpec.RunGroup> groups) {
        groups.forEach(group -> runs.add(longest(group)));
    }

    /** Returns the longest run of a group, which takes as long as the group. */
    private static RunSpec longest(RunSpec.RunGroup group) {
        return Collections.max(group.runs(), Comparator.comparingDouble(run -> intervalsS(run, true)));
    }

    /** Returns how long runs are expected to take before any has ended, in seconds. */
    static double firstS(RunSpec.RunGroup group) {
        return intervalsS(longest(group), true) + FIRST_OVERHEAD_S;
    }

    /** Begins the current run. */
    synchronized void begins() {
        currentSinceNs = clockNs.getAsLong();
    }

    /** Ends the current run, which is complete; later estimates use its duration. */
    synchronized void ended() {
        RunSpec run = runs.get(current);
        double seconds = elapsedS();
        takenS.put(run.point(), seconds);
        hasWindows &= seconds >= intervalsS(run, true);
        overheadSumS += Math.max(0, seconds - intervalsS(run, hasWindows));
        overheads++;
        skipped();
    }

    /** Ends the current run, whose duration is not used. */
    synchronized void skipped() {
        current++;
        currentSinceNs = clockNs.getAsLong();
    }

    /** Returns the expected time from now to the end of the last run. */
    synchronized Duration remaining() {
        double seconds = 0;
        for (int i = current; i < runs.size(); i++) {
            double expected = expectedS(runs.get(i));
            seconds += i == current ? Math.max(0, expected - elapsedS()) : expected;
        }
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }

    private double elapsedS() {
        return (clockNs.getAsLong() - currentSinceNs) / 1e9;
    }

    private double expectedS(RunSpec run) {
        Double before = takenS.get(run.point());
        return before != null
                ? before
                : intervalsS(run, hasWindows) + (overheads == 0 ? FIRST_OVERHEAD_S : overheadSumS / overheads);
    }

    private static double intervalsS(RunSpec run, boolean hasWindows) {
        Point point = run.point();
        long packets = hasWindows ? point.stampedPackets() : point.packets();
        return point.pace().durationNs(packets + point.warmUpPackets()) / 1e9;
    }
}
