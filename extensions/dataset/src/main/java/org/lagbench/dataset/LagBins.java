package org.lagbench.dataset;

import java.io.IOException;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Adds up lags by bins of 4,096 ns: their number, the sum of their offsets from the start of the bin, and the sum of
 * the squares of these offsets.
 *
 * <p>Needs memory for at most {@value #SLOTS} bins. A bin whose slot another one needs is passed on early, so that a
 * consumer can get several sums of the same bin.
 */
final class LagBins {
    /** The bin of a lag is the lag without this many low bits. */
    static final int WIDTH_BITS = 12;

    /** The bins of 1.07 s have separate slots. */
    private static final int SLOTS = 1 << 18;

    /** Most runs need the slots of a few ms. */
    private static final int BLOCK_SLOTS = 1 << 9;

    private static final int OFFSET_MASK = (1 << WIDTH_BITS) - 1;
    private static final int FIELDS = 4;
    private static final int COUNT = 1;
    private static final int SUM = 2;
    private static final int SQUARES = 3;

    private final BitSet used = new BitSet(SLOTS);

    /** The bin and its sums in each slot, by blocks, which are null until they are needed. */
    private final long[] @Nullable [] blocks = new long[SLOTS / BLOCK_SLOTS] @Nullable [];

    private final BinConsumer consumer;
    private long run;

    LagBins(BinConsumer consumer) {
        this.consumer = consumer;
    }

    /** Accepts the sums of some lags of a bin. */
    interface BinConsumer {
        void accept(long run, long bin, long count, long sum, long squares) throws IOException;
    }

    /** Starts a run, whose bins are not added to those of the run before. */
    void start(long id) throws IOException {
        flush();
        run = id;
    }

    void add(long lagNs) throws IOException {
        long bin = lagNs >> WIDTH_BITS;
        int slot = (int) bin & SLOTS - 1;
        long[] block = blocks[slot / BLOCK_SLOTS];
        if (block == null) {
            block = new long[BLOCK_SLOTS * FIELDS];
            blocks[slot / BLOCK_SLOTS] = block;
        }
        int at = slot % BLOCK_SLOTS * FIELDS;
        if (block[at + COUNT] == 0) {
            used.set(slot);
        } else if (block[at] != bin) {
            passOn(block, at);
        }
        long offset = lagNs & OFFSET_MASK;
        block[at] = bin;
        block[at + COUNT]++;
        block[at + SUM] += offset;
        block[at + SQUARES] += offset * offset;
    }

    /** Passes all bins on, and empties their slots. */
    void flush() throws IOException {
        for (int slot = used.nextSetBit(0); slot >= 0; slot = used.nextSetBit(slot + 1)) {
            passOn(Objects.requireNonNull(blocks[slot / BLOCK_SLOTS]), slot % BLOCK_SLOTS * FIELDS);
        }
        used.clear();
    }

    private void passOn(long[] block, int at) throws IOException {
        consumer.accept(run, block[at], block[at + COUNT], block[at + SUM], block[at + SQUARES]);
        block[at + COUNT] = 0;
        block[at + SUM] = 0;
        block[at + SQUARES] = 0;
    }
}
