package org.lagbench.analysis.summary;

import java.util.List;
import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * Whether the run was warm when recording began: the 99 % quantile of the transmit lag of its first
 * {@value #FIRST_PACKETS} packets beside that of the rest. Where the compiler's start is in the record, the first is many
 * times the second.
 *
 * @param firstQ99Ns of the first packets, in ns; NaN if none of them came
 * @param restQ99Ns of the rest, in ns; NaN if none of them came
 */
public record WarmUp(double firstQ99Ns, double restQ99Ns) {
    /** How many packets, by sequence number, are the first. */
    public static final int FIRST_PACKETS = 1_000;

    private static final int PERCENT = 99;

    static WarmUp of(List<JoinedRun> runs) throws LagbenchException {
        return new WarmUp(
                SeriesStatistics.quantileNs(lags(runs, 0, FIRST_PACKETS), PERCENT),
                SeriesStatistics.quantileNs(lags(runs, FIRST_PACKETS, Long.MAX_VALUE), PERCENT));
    }

    private static LongValues lags(List<JoinedRun> runs, long from, long until) {
        return consumer -> {
            for (JoinedRun run : runs) {
                lags(run, from, until, consumer);
            }
        };
    }

    private static void lags(JoinedRun run, long from, long until, LongConsumer consumer) throws LagbenchException {
        for (long i = 0; i < run.received(); i++) {
            long packet = run.packetOf(i);
            if (packet >= from && packet < until && run.isFirstCopy(i)) {
                consumer.accept(run.receivedNs(i) - run.sentNs(packet));
            }
        }
    }
}
