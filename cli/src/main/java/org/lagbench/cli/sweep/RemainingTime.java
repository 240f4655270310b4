package org.lagbench.cli.sweep;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;

/**
 * How long the rest of a sweep will take. A run is expected to take as long as an earlier repeat of the same point did;
 * before there was one, as long as its packets' intervals add up to, and what earlier runs took beyond that.
 * Thread-safe.
 */
final class RemainingTime {
    /** Two JVMs' start, the warm-up and the drain, until a run has shown what they take. */
    private static final double FIRST_OVERHEAD_S = 3;

    private record Point(
            String transport, int packetBytes, long packets, Pace pace, Program program, Map<String, Object> settings) {
        static Point of(RunSpec run) {
            return new Point(
                    run.transport(),
                    run.packetBytes(),
                    run.packets(),
                    run.pace(),
                    run.program(),
                    run.settings().asMap());
        }
    }

    private final LongSupplier clockNs;
    private final List<RunSpec> runs;
    private final Map<Point, Double> takenS = new HashMap<>();
    private int current;
    private long currentSinceNs;
    private double overheadSumS;
    private int overheads;

    /** All runs of the sweep, in order; the clock is {@link System#nanoTime} but for tests. */
    RemainingTime(List<RunSpec> runs, LongSupplier clockNs) {
        this.runs = List.copyOf(runs);
        this.clockNs = clockNs;
        this.currentSinceNs = clockNs.getAsLong();
    }

    /** The run that a group of runs takes as long as. */
    static RunSpec longest(RunGroup group) {
        return Collections.max(group.runs(), Comparator.comparingDouble(RemainingTime::intervalsS));
    }

    /** The run with that index begins. */
    synchronized void begins(int index) {
        current = index;
        currentSinceNs = clockNs.getAsLong();
    }

    /** The run that began has ended well, and tells how long others will take. */
    synchronized void ended() {
        RunSpec run = runs.get(current);
        double seconds = elapsedS();
        takenS.put(Point.of(run), seconds);
        overheadSumS += Math.max(0, seconds - intervalsS(run));
        overheads++;
        skipped();
    }

    /** The run that began has ended, and tells nothing of others. */
    synchronized void skipped() {
        current++;
        currentSinceNs = clockNs.getAsLong();
    }

    /** From now to the end of the last run. */
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
        Double before = takenS.get(Point.of(run));
        return before != null
                ? before
                : intervalsS(run) + (overheads == 0 ? FIRST_OVERHEAD_S : overheadSumS / overheads);
    }

    private static double intervalsS(RunSpec run) {
        return run.pace().durationNs(run.packets() + run.warmUpPackets()) / 1e9;
    }
}
