package org.lagbench.analysis.media;

import java.util.Arrays;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.TailStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * One-way IP packet delay variation (RFC 3393 §2) between consecutive packets, the IPDV form of RFC 5481 §4.1: lag(i) −
 * lag(i − 1) of each packet i. Undefined if one of the two was lost.
 *
 * @param signed the differences; their mean is 0 except for a drift
 * @param size the absolute differences
 * @param undefined pairs of which a packet was lost, or which arrived more than {@value #REACH} packets apart
 */
public record Ipdv(TailStatistics signed, TailStatistics size, long undefined) {
    /** Number of recent packets among which the other packet of a pair is searched. */
    static final int REACH = 1 << 16;

    private static final int MASK = REACH - 1;

    static Ipdv of(List<JoinedRun> runs) throws LagbenchException {
        TailStatistics signed = TailStatistics.of(values(runs));
        TailStatistics size = TailStatistics.of(
                consumer -> values(runs).forEach(difference -> consumer.accept(Math.abs(difference))));
        long pairs = runs.stream().mapToLong(run -> Math.max(0, run.sent() - 1)).sum();
        return new Ipdv(signed, size, pairs - signed.n());
    }

    private static LongValues values(List<JoinedRun> runs) {
        return consumer -> {
            long[] packets = new long[REACH];
            long[] lags = new long[REACH];
            for (JoinedRun run : runs) {
                Arrays.fill(packets, -1);
                run.forEachFirstCopy((arrival, packet) -> {
                    // a pair is known when its second packet arrives, after reordering the one sent first
                    long lagNs = run.receivedNs(arrival) - run.sentNs(packet);
                    int place = (int) packet & MASK;
                    int before = (int) (packet - 1) & MASK;
                    int after = (int) (packet + 1) & MASK;
                    if (packet > 0 && packets[before] == packet - 1) {
                        consumer.accept(lagNs - lags[before]);
                    }
                    if (packets[after] == packet + 1) {
                        consumer.accept(lags[after] - lagNs);
                    }
                    packets[place] = packet;
                    lags[place] = lagNs;
                });
            }
        };
    }
}
