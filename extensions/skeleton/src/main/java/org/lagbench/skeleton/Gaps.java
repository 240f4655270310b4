package org.lagbench.skeleton;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;

/**
 * The gaps in the arrivals of some runs: times of more than {@link #LONGER_THAN_NS} without one.
 *
 * @param count their number
 * @param ns how long they took together
 * @param allNs from the first arrival to the last
 */
public record Gaps(long count, long ns, long allNs) {
    static final long LONGER_THAN_NS = 10_000_000;

    /** A count of the runs adds up, and so do the two amounts of a share: nothing else says how repeats combine. */
    static final List<Metric<Gaps>> METRICS = List.of(
            Metric.packets("gaps.count", "Gaps", "Count", Gaps::count),
            Metric.share("gaps.share", "Gaps", "Share of the time", Gaps::ns, Gaps::allNs));

    /** Finds the gaps of runs; none spans the end of a run. */
    static Gaps of(List<JoinedRun> runs) throws LagbenchException {
        long count = 0;
        long ns = 0;
        long allNs = 0;
        for (JoinedRun run : runs) {
            for (long arrival = 1; arrival < run.received(); arrival++) {
                long delayNs = run.receivedNs(arrival) - run.receivedNs(arrival - 1);
                count += delayNs > LONGER_THAN_NS ? 1 : 0;
                ns += delayNs > LONGER_THAN_NS ? delayNs : 0;
                allNs += delayNs;
            }
        }
        return new Gaps(count, ns, allNs);
    }
}
