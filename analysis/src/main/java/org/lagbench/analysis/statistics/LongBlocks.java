package org.lagbench.analysis.statistics;

import java.util.function.LongConsumer;
import org.lagbench.core.failure.LagbenchException;

/**
 * {@linkplain LongValues Values} in blocks, divided into partitions that different threads can go through at the same
 * time, and each partition into parts that come one after the other. Their order matters to nobody who takes them so.
 */
public interface LongBlocks {
    /** How many values a block holds at most. */
    int BLOCK = 1 << 12;

    /** How many partitions there are, at least one. */
    int partitions();

    /** How many parts a partition has. */
    int parts(int partition);

    /**
     * Hands the values of a part of a partition to the consumer. Each partition by one thread at a time.
     *
     * @throws LagbenchException if they cannot be read
     */
    void forEach(int partition, int part, BlockConsumer consumer) throws LagbenchException;

    /** Values as one partition of one part. */
    static LongBlocks of(LongValues values) {
        return new LongBlocks() {
            @Override
            public int partitions() {
                return 1;
            }

            @Override
            public int parts(int partition) {
                return 1;
            }

            @Override
            public void forEach(int partition, int part, BlockConsumer consumer) throws LagbenchException {
                Filling filling = new Filling(consumer);
                values.forEach(filling);
                filling.flush();
            }
        };
    }

    /** Makes blocks of values that come one by one. */
    final class Filling implements LongConsumer {
        private final BlockConsumer consumer;
        private final long[] block = new long[BLOCK];
        private int count;

        private Filling(BlockConsumer consumer) {
            this.consumer = consumer;
        }

        @Override
        public void accept(long value) {
            block[count++] = value;
            if (count == BLOCK) {
                flush();
            }
        }

        private void flush() {
            consumer.accept(block, count);
            count = 0;
        }
    }
}
