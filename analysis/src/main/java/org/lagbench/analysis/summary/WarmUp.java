package org.lagbench.analysis.summary;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.analysis.statistics.SeriesComputation;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * Whether the run was warm when recording began: the 99 % quantile of the transmit lag of its first packets and that of
 * the rest. If the JIT compiler was still warming up, the first is many times the second.
 *
 * @param firstQ99Ns of the first packets, in ns; NaN if none of them arrived
 * @param restQ99Ns of the rest, in ns; NaN if none of them arrived
 */
public record WarmUp(double firstQ99Ns, double restQ99Ns) {
    private static final String TITLE = "Warm-up";

    /** Packets with a sequence number below this are the first packets of a run. */
    public static final int FIRST_PACKETS = 1_000;

    /** The metrics of the warm-up. */
    static final List<Metric<WarmUp>> METRICS = List.of(
            Metric.time("warmUp.firstQ99", TITLE, "Q99 of the first packets", Combination.MEDIAN, WarmUp::firstQ99Ns)
                    .byTwoClocks(),
            Metric.time("warmUp.restQ99", TITLE, "Q99 of the rest", Combination.MEDIAN, WarmUp::restQ99Ns)
                    .byTwoClocks());

    static final int PERCENT = 99;

    /** @param lag the computed statistics of the lags, with the quantile of all but the first packets */
    static WarmUp of(long[] firstLagsNs, SeriesComputation lag) {
        long[] sorted = LongStream.of(firstLagsNs).sorted().toArray();
        return new WarmUp(Quantile.ofSorted(sorted, Quantile.PERCENT, PERCENT)[0], lag.remainderQuantileNs());
    }

    /** Returns the lags of the first packets of each run. */
    static long[] firstLagsNs(List<JoinedRun> runs) throws LagbenchException {
        long[] lagsNs = new long[FIRST_PACKETS * runs.size()];
        int count = 0;
        for (JoinedRun run : runs) {
            int until = count + FIRST_PACKETS;
            for (long arrival = 0; arrival < run.received() && count < until; arrival++) {
                long packet = run.packetOf(arrival);
                if (packet < FIRST_PACKETS && run.isFirstCopy(arrival)) {
                    lagsNs[count++] = run.receivedNs(arrival) - run.sentNs(packet);
                } else if (run.isInOrder()) {
                    break;
                }
            }
        }
        return Arrays.copyOf(lagsNs, count);
    }
}
