package org.lagbench.analysis.series;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.analysis.statistics.LongBlocks;
import org.lagbench.core.failure.LagbenchException;

/** A series of several runs, concatenated. All series of the same runs have the same partitions and parts. */
record PooledBlocks(Series series, List<JoinedRun> runs) implements LongBlocks {
    @Override
    public int partitions() {
        return runs.stream().mapToInt(JoinedRun::partitions).max().orElse(1);
    }

    @Override
    public int parts(int partition) {
        return runs.stream().mapToInt(run -> parts(run, partition)).sum();
    }

    @Override
    public void forEach(int partition, int part, BlockConsumer consumer) throws LagbenchException {
        int before = 0;
        for (JoinedRun run : runs) {
            int parts = parts(run, partition);
            if (part - before < parts) {
                long items = series.items(run);
                series.forEach(
                        run.partition(partition),
                        run.firstItem(partition, part - before, items),
                        run.firstItem(partition, part - before + 1, items),
                        consumer);
                return;
            }
            before += parts;
        }
    }

    private static int parts(JoinedRun run, int partition) {
        return partition < run.partitions() ? run.parts() : 0;
    }
}
