package org.lagbench.analysis.statistics;

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
            }
        };
    }
}
