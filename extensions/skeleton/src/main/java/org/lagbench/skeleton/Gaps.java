package org.lagbench.skeleton;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The gaps in the arrivals of some runs: times of more than {@value #LONGER_THAN_MS} ms without one.
 *
 * @param count their number
 * @param ns how long they took together
 * @param allNs from the first arrival to the last
 */
public record Gaps(long count, long ns, long allNs) {
    static final long LONGER_THAN_MS = 10;

    /** How repeats combine: counts have a sum, and of a share both amounts do. */
    static final List<Metric<Gaps>> METRICS = List.of(
            Metric.count("gaps.count", "Gaps", "Count", "gaps", Combination.SUM, Gaps::count),
            Metric.share("gaps.share", "Gaps", "Share of the time", Gaps::ns, Gaps::allNs));

    /** Finds the gaps of runs; none spans the end of a run. */
    static Gaps of(List<JoinedRun> runs) throws LagbenchException {
        long longerThanNs = TimeUnit.MILLISECONDS.toNanos(LONGER_THAN_MS);
        long count = 0;
        long ns = 0;
        long allNs = 0;
        for (JoinedRun run : runs) {
            for (long arrival = 1; arrival < run.received(); arrival++) {
                long delayNs = run.receivedNs(arrival) - run.receivedNs(arrival - 1);
                count += delayNs > longerThanNs ? 1 : 0;
                ns += delayNs > longerThanNs ? delayNs : 0;
                allNs += delayNs;
            }
        }
        return new Gaps(count, ns, allNs);
    }
}
