package org.lagbench.analysis.join;

import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/** The packets that were asked for, in a run that may have observed windows after them. */
final class PacketsAskedFor {
    private PacketsAskedFor() {}

    /** Returns their number; the largest number if the run has no windows. */
    static long of(RunRecord record) {
        return record.hasWindows() ? record.point().packets() : Long.MAX_VALUE;
    }

    /** Returns the number of arrivals up to the last one of a packet that was asked for. */
    static long arrivals(CaptureReader receiver, long asked) throws LagbenchException {
        if (asked == Long.MAX_VALUE) {
            return receiver.records();
        }
        int sequence = receiver.field("seq");
        long[] packets = new long[JoinedRun.BLOCK];
        for (long end = receiver.records(); end > 0; end -= packets.length) {
            int count = (int) Math.min(packets.length, end);
            receiver.read(end - count, sequence, packets, count);
            for (int last = count; last > 0; last--) {
                if (packets[last - 1] < asked) {
                    return end - count + last;
                }
            }
        }
        return 0;
    }
}
