package org.lagbench.analysis.statistics;

import java.util.function.LongConsumer;
import org.lagbench.core.failure.LagbenchException;

/**
 * {@linkplain LongValues Values} in blocks. Different threads can read the partitions at the same time; the parts of a
 * partition are read one after the other.
 */
public interface LongBlocks {
    /** The greatest number of values in a block. */
    int BLOCK = 1 << 12;

    /** Returns the number of partitions, at least one. */
    int partitions();

    /** Returns the number of parts of a partition. */
    int parts(int partition);

    /** Passes the values of a part of a partition to the consumer. One thread at a time per partition. */
    void forEach(int partition, int part, BlockConsumer consumer) throws LagbenchException;

    /** Returns values as one partition of one part. */
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
                BlockBuffer buffer = new BlockBuffer(consumer);
                values.forEach(buffer);
                buffer.flush();
            }
        };
    }

    /** Collects single values into blocks. */
    final class BlockBuffer implements LongConsumer {
        private final BlockConsumer consumer;
        private final long[] block = new long[BLOCK];
        private int count;

        private BlockBuffer(BlockConsumer consumer) {
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
