package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * What a sending kernel retransmitted over TCP, from the lead-in to the end of the run. Counts are null if the kernel
 * does not report them.
 *
 * @param retransmittedSegments number of segments
 * @param retransmittedBytes number of bytes
 * @param needlessRetransmissions segments that the receiving kernel reported as duplicates
 * @param reorderingsNoticed segments that arrived before an earlier one
 * @param retransmissionTimes how the times of retransmissions were found
 */
public record RetransmissionFacts(
        long retransmittedSegments,
        @Nullable Long retransmittedBytes,
        @Nullable Long needlessRetransmissions,
        @Nullable Long reorderingsNoticed,
        @Nullable String retransmissionTimes)
        implements SideFacts {
    /** Returns whether all that was retransmitted had arrived: a late acknowledgment, for which no packet waited. */
    public boolean areAllNeedless() {
        return needlessRetransmissions != null && needlessRetransmissions >= retransmittedSegments;
    }
}
