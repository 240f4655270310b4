package org.lagbench.analysis.series;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.analysis.statistics.LongBlocks;
import org.lagbench.core.failure.LagbenchException;

/**
 * The series of a round-trip run that begin or end with the replied stamp: one value for each first copy, in the order
 * of arrival.
 */
public enum ReplySeries implements RunSeries {
    /** Replied − received, in the packets of a run: the time in the answering host. */
    HOST_TIME {
        @Override
        long value(long arrivedNs, long repliedNs) {
            return repliedNs - arrivedNs;
        }
    },
    /** Answered − replied, in the answers of a run: the lag on the way back. */
    LAG_BACK {
        @Override
        long value(long arrivedNs, long repliedNs) {
            return arrivedNs - repliedNs;
        }
    };

    private static final String REPLIED_NS = "replied_ns";

    abstract long value(long arrivedNs, long repliedNs);

    @Override
    public long items(JoinedRun run) {
        return run.received();
    }

    @Override
    public void forEach(JoinedRun run, long from, long until, BlockConsumer consumer) throws LagbenchException {
        int replied = run.arrivalFields().indexOf(REPLIED_NS);
        long[] values = run.buffer();
        for (long first = from; first < until; first += JoinedRun.BLOCK) {
            int count = 0;
            for (long arrival = first; arrival < Math.min(until, first + JoinedRun.BLOCK); arrival++) {
                if (run.isFirstCopy(arrival)) {
                    values[count++] = value(run.receivedNs(arrival), run.arrivalValue(arrival, replied));
                }
            }
            consumer.accept(values, count);
        }
    }

    /**
     * Returns the concatenated values of runs, for several threads to read.
     *
     * @param runs runs joined with their answers, for {@link #LAG_BACK}
     */
    public LongBlocks pooled(List<JoinedRun> runs) {
        return new PooledBlocks(this, runs);
    }

    /** Returns the lags back of runs whose packets have no header: arrival n and answer n belong to the same packet. */
    public static LongBlocks lagBackInOrder(List<JoinedRun> runs, List<JoinedRun> answers) {
        return LongBlocks.of(consumer -> {
            for (int i = 0; i < runs.size(); i++) {
                JoinedRun run = runs.get(i);
                JoinedRun answered = answers.get(i);
                int replied = run.arrivalFields().indexOf(REPLIED_NS);
                for (long n = 0; n < Math.min(run.received(), answered.received()); n++) {
                    consumer.accept(answered.receivedNs(n) - run.arrivalValue(n, replied));
                }
            }
        });
    }
}
