package org.lagbench.analysis.summary;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the sending kernels retransmitted over TCP, from the lead-in to the end of each run.
 *
 * @param segments number of segments
 * @param bytes number of bytes; null if a kernel does not count them
 * @param needless segments that the receiving kernels reported as duplicates; null if a kernel does not count them
 */
public record Retransmission(long segments, @Nullable Long bytes, @Nullable Long needless) {
    /** Returns the sum over the runs; null if one recorded nothing. */
    static @Nullable Retransmission of(PooledRuns runs) {
        Long segments = sum(runs, "retransmittedSegments");
        return segments == null
                ? null
                : new Retransmission(segments, sum(runs, "retransmittedBytes"), sum(runs, "needlessRetransmissions"));
    }

    private static @Nullable Long sum(PooledRuns runs, String name) {
        List<Number> counts = PooledRuns.numbers(runs.senders(), name);
        return counts.size() < runs.open().size() ? null : (Long) PooledRuns.total(counts);
    }
}
