package org.lagbench.analysis.statistics;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.lagbench.core.failure.LagbenchException;

/**
 * Accumulates values that one thread reads, and is then added to the accumulators of the other threads.
 *
 * @param <T> the implementing class
 */
interface Accumulator<T> extends BlockConsumer {
    /** Adds what another partition accumulated. */
    void add(T other);

    /**
     * Reads several series once, part by part, so that data they share is read once.
     *
     * @param series series with the same partitions and parts
     * @param factory makes the accumulator of the n-th series for one partition
     * @return the accumulated result of each series
     */
    static <T extends Accumulator<T>> List<T> of(List<LongBlocks> series, IntFunction<T> factory)
            throws LagbenchException {
        int partitions = series.stream().mapToInt(LongBlocks::partitions).max().orElse(1);
        List<List<T>> results = Partitions.runAll(partitions, partition -> {
            List<T> accumulators =
                    IntStream.range(0, series.size()).mapToObj(factory).toList();
            int parts =
                    series.stream().mapToInt(one -> one.parts(partition)).max().orElse(0);
            for (int part = 0; part < parts; part++) {
                for (int i = 0; i < series.size(); i++) {
                    series.get(i).forEach(partition, part, accumulators.get(i));
                }
            }
            return accumulators;
        });
        List<T> total = results.get(0);
        for (List<T> partition : results.subList(1, results.size())) {
            for (int i = 0; i < total.size(); i++) {
                total.get(i).add(partition.get(i));
            }
        }
        return total;
    }
}
