package org.lagbench.analysis.summary;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.RunRecord;

/**
 * What the sending kernels sent again over TCP, from the lead-in to the end of each run.
 *
 * @param segments number of segments
 * @param bytes number of bytes; null if a kernel does not count them
 * @param needless segments that the receiving kernels reported as duplicates; null if a kernel does not count them
 */
public record RetransmissionFigures(long segments, @Nullable Long bytes, @Nullable Long needless) {
    /** Returns the sum over the runs; null if one recorded nothing. */
    static @Nullable RetransmissionFigures of(List<RunRecord> runs) {
        Long segments = sum(runs, "retransmittedSegments");
        return segments == null
                ? null
                : new RetransmissionFigures(
                        segments, sum(runs, "retransmittedBytes"), sum(runs, "needlessRetransmissions"));
    }

    private static @Nullable Long sum(List<RunRecord> runs, String name) {
        long sum = 0;
        for (RunRecord run : runs) {
            Map<String, Object> metadata = run.sender().metadata();
            if (!(metadata.get(name) instanceof Number number)) {
                return null;
            }
            sum += number.longValue();
        }
        return sum;
    }
}
