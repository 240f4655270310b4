package org.lagbench.analysis.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.lagbench.analysis.parallel.Partitions;
import org.lagbench.core.failure.LagbenchException;

/**
 * What is counted of values while they pass, by each partition for itself and then added up.
 *
 * @param <T> the class itself
 */
interface Accumulator<T> extends BlockConsumer {
    /** Takes in what another partition counted. */
    void add(T other);

    /**
     * Goes once through several series, through all of them part by part: what they share is read once.
     *
     * @param series series with the same partitions and parts
     * @param fresh makes what takes the values of the n-th series on a partition
     * @return what was counted of each series
     */
    static <T extends Accumulator<T>> List<T> of(List<LongBlocks> series, IntFunction<T> fresh)
            throws LagbenchException {
        int partitions = series.stream().mapToInt(LongBlocks::partitions).max().orElse(1);
        List<List<T>> found = Partitions.each(partitions, partition -> {
            List<T> tallies = new ArrayList<>();
            for (int i = 0; i < series.size(); i++) {
                tallies.add(fresh.apply(i));
            }
            int parts =
                    series.stream().mapToInt(one -> one.parts(partition)).max().orElse(0);
            for (int part = 0; part < parts; part++) {
                for (int i = 0; i < series.size(); i++) {
                    series.get(i).forEach(partition, part, tallies.get(i));
                }
            }
            return tallies;
        });
        List<T> all = found.get(0);
        for (List<T> partition : found.subList(1, found.size())) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).add(partition.get(i));
            }
        }
        return all;
    }
}
