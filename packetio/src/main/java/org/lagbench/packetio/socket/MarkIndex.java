package org.lagbench.packetio.socket;

import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** Finds datagrams by their marks of 32 bits. Takes 8 bytes for each. */
final class MarkIndex {
    /** Sorted: the mark of each in the upper half, its index in the lower. */
    private final long[] sorted;

    /** @param marks returns the mark of an index, without a sign */
    MarkIndex(int count, IntToLongFunction marks) {
        sorted = IntStream.range(0, count)
                .mapToLong(i -> startOf(marks.applyAsLong(i)) + i)
                .sorted()
                .toArray();
    }

    private static long startOf(long mark) {
        return mark << Integer.SIZE;
    }

    /** Returns the index of the only datagram with a mark; −1 if there is none, and if there are two. */
    int find(long mark) {
        int insertion = Arrays.binarySearch(sorted, startOf(mark));
        int first = insertion < 0 ? -1 - insertion : insertion;
        return isOf(first, mark) && !isOf(first + 1, mark) ? (int) sorted[first] : -1;
    }

    private boolean isOf(int at, long mark) {
        return at < sorted.length && sorted[at] >>> Integer.SIZE == mark;
    }
}
