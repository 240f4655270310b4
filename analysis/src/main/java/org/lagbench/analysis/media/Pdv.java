package org.lagbench.analysis.media;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.TailStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * Packet delay variation (RFC 5481 §4.2): of each packet that came, its first copy, lag(i) − the least lag of its run.
 * Its 99.9 % quantile is what ITU-T Y.1540 and RFC 5481 §7.3 report. A steady offset of the clocks is in both lags and
 * so in no value.
 */
public final class Pdv {
    private Pdv() {}

    static TailStatistics of(List<JoinedRun> runs) throws LagbenchException {
        return TailStatistics.of(values(runs));
    }

    /**
     * The values in ns of all the runs, each relative to the least lag of its own.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public static LongValues values(List<JoinedRun> runs) throws LagbenchException {
        long[] least = new long[runs.size()];
        for (int i = 0; i < least.length; i++) {
            least[i] = leastLagNs(runs.get(i));
        }
        return consumer -> {
            for (int i = 0; i < least.length; i++) {
                long leastNs = least[i];
                Series.TRANSMIT_LAG.forEach(runs.get(i), lagNs -> consumer.accept(lagNs - leastNs));
            }
        };
    }

    /**
     * The least lag of a run in ns; {@link Long#MAX_VALUE} if nothing came.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public static long leastLagNs(JoinedRun run) throws LagbenchException {
        long[] least = {Long.MAX_VALUE};
        Series.TRANSMIT_LAG.forEach(run, lagNs -> least[0] = Math.min(least[0], lagNs));
        return least[0];
    }
}
