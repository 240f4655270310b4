package org.lagbench.analysis.statistics;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.lagbench.core.failure.LagbenchException;

/**
 * {@linkplain LongValues Values} in blocks. Different threads can read the partitions at the same time; the parts of a
 * partition are read one at a time.
 */
@FunctionalInterface
public interface LongBlocks {
    /** The maximum number of values in a block. */
    int BLOCK = 1 << 12;

    /** Returns the number of partitions, at least one. */
    default int partitions() {
        return 1;
    }

    /** Returns the number of parts of a partition. */
    default int parts(int partition) {
        return 1;
    }

    /** Passes the values of a part of a partition to the consumer. One thread at a time per partition. */
    void forEach(int partition, int part, BlockConsumer consumer) throws LagbenchException;

    /** Returns values as a single partition with a single part. */
    static LongBlocks of(LongValues values) {
        return (partition, part, consumer) -> {
            long[] block = new long[BLOCK];
            int[] count = {0};
            values.forEach(value -> {
                block[count[0]++] = value;
                if (count[0] == BLOCK) {
                    consumer.accept(block, BLOCK);
                    count[0] = 0;
                }
            });
            consumer.accept(block, count[0]);
        };
    }

    /** Accepts values in blocks, because a call per value costs more than most of the work on it. */
    @FunctionalInterface
    public interface BlockConsumer {
        /**
         * Accepts a block.
         *
         * @param values the block in its first {@code count} elements; overwritten after the call
         */
        void accept(long[] values, int count);
    }

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
            int partitions =
                    series.stream().mapToInt(LongBlocks::partitions).max().orElse(1);
            List<List<T>> results = Partitions.runAll(partitions, partition -> {
                List<T> accumulators =
                        IntStream.range(0, series.size()).mapToObj(factory).toList();
                int parts = series.stream()
                        .mapToInt(one -> one.parts(partition))
                        .max()
                        .orElse(0);
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
}
