package org.lagbench.analysis.summary;

import java.util.List;
import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.parallel.Lanes;
import org.lagbench.analysis.series.AllSeries;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.analysis.statistics.LongBlocks;
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
                SeriesStatistics.quantileNs(new Lags(runs, true), PERCENT),
                SeriesStatistics.quantileNs(new Lags(runs, false), PERCENT));
    }

    /**
     * The lags of the first packets, or of the rest.
     *
     * @param first whether of the first
     */
    private record Lags(List<JoinedRun> runs, boolean first) implements LongBlocks {
        @Override
        public int lanes() {
            return runs.stream().mapToInt(JoinedRun::lanes).max().orElse(1);
        }

        @Override
        public void forEach(int lane, BlockConsumer consumer) throws LagbenchException {
            for (JoinedRun run : runs) {
                if (!run.isInOrder()) {
                    if (lane == 0) {
                        LongBlocks.of(values -> selected(run, values)).forEach(0, consumer);
                    }
                } else if (lane < run.lanes()) {
                    JoinedRun reader = run.lane(lane);
                    long rest = firstOfRest(reader);
                    long from = first ? 0 : rest;
                    long count = first ? rest : run.received() - rest;
                    AllSeries.TRANSMIT_LAG.forEach(
                            reader,
                            from + Lanes.first(lane, run.lanes(), count),
                            from + Lanes.first(lane + 1, run.lanes(), count),
                            consumer);
                }
            }
        }

        private static long firstOfRest(JoinedRun run) throws LagbenchException {
            long arrival = 0;
            while (arrival < run.received() && run.packetOf(arrival) < FIRST_PACKETS) {
                arrival++;
            }
            return arrival;
        }

        private void selected(JoinedRun run, LongConsumer consumer) throws LagbenchException {
            for (long i = 0; i < run.received(); i++) {
                long packet = run.packetOf(i);
                if (packet < FIRST_PACKETS == first && run.isFirstCopy(i)) {
                    consumer.accept(run.receivedNs(i) - run.sentNs(packet));
                }
            }
        }
    }
}
