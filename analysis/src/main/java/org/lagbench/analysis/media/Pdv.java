package org.lagbench.analysis.media;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.core.failure.LagbenchException;

/**
 * Packet delay variation (RFC 5481 §4.2): lag(i) minus the smallest lag of its run, for the first copy of each packet.
 * Its 99.9 % quantile is what ITU-T Y.1540 and RFC 5481 §7.3 report. A constant clock offset cancels out.
 */
public final class Pdv {
    private Pdv() {}

    /** Returns the values of all runs in ns, each relative to the smallest lag of its run. */
    public static LongValues values(List<JoinedRun> runs) throws LagbenchException {
        long[] min = new long[runs.size()];
        for (int i = 0; i < min.length; i++) {
            min[i] = leastLagNs(runs.get(i));
        }
        return consumer -> {
            for (int i = 0; i < min.length; i++) {
                long minNs = min[i];
                Series.TRANSMIT_LAG.forEach(runs.get(i), lagNs -> consumer.accept(lagNs - minNs));
            }
        };
    }

    /** Returns the smallest lag of a run in ns; {@link Long#MAX_VALUE} if nothing arrived. */
    public static long leastLagNs(JoinedRun run) throws LagbenchException {
        long[] min = {Long.MAX_VALUE};
        Series.TRANSMIT_LAG.forEach(run, lagNs -> min[0] = Math.min(min[0], lagNs));
        return min[0];
    }
}
