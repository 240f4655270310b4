package org.lagbench.analysis.summary;

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
        Long segments = runs.total(runs.senders(), "retransmittedSegments");
        return segments == null
                ? null
                : new Retransmission(
                        segments,
                        runs.total(runs.senders(), "retransmittedBytes"),
                        runs.total(runs.senders(), "needlessRetransmissions"));
    }
}
