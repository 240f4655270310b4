package org.lagbench.analysis.series;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.analysis.statistics.LongBlocks;
import org.lagbench.core.failure.LagbenchException;

/**
 * A series of runs one after the other. All series of the same runs have as many partitions, and as many parts of each.
 *
 * @param series which
 * @param runs the runs
 */
record PooledBlocks(Series series, List<JoinedRun> runs) implements LongBlocks {
    @Override
    public int partitions() {
        return runs.stream().mapToInt(JoinedRun::partitions).max().orElse(1);
    }

    @Override
    public int parts(int partition) {
        return runs.stream()
                .filter(run -> partition < run.partitions())
                .mapToInt(JoinedRun::parts)
                .sum();
    }

    @Override
    public void forEach(int partition, int part, BlockConsumer consumer) throws LagbenchException {
        int before = 0;
        for (JoinedRun run : runs) {
            int parts = partition < run.partitions() ? run.parts() : 0;
            if (part - before < parts) {
                long places = series.places(run);
                series.forEach(
                        run.partition(partition),
                        run.first(partition, part - before, places),
                        run.first(partition, part - before + 1, places),
                        consumer);
                return;
            }
            before += parts;
        }
    }
}
