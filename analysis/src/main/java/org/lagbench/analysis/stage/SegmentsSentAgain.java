package org.lagbench.analysis.stage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.failure.LagbenchException;

/**
 * When TCP sent segments again, by the kernel's transmit stamps: the driver's stamps whose key is not greater than all
 * earlier ones. Of segments that the kernel joins to send them again, only the last has a stamp. Takes about 50 bytes
 * per segment. Immutable.
 *
 * @param sent pairs of key and CLOCK_REALTIME in ns, ascending
 */
record SegmentsSentAgain(List<long[]> sent) {

    /** Reads the stamps of one connection. */
    static SegmentsSentAgain read(Path stampsFile) throws LagbenchException {
        List<long[]> sent = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(stampsFile)) {
            int stage = reader.field("stage");
            int key = reader.field("key");
            int kernelNs = reader.field("kernel_ns");
            long lastKey = 0;
            for (long i = 0; i < reader.records(); i++) {
                if (reader.value(i, stage) == KernelCapture.SENT) {
                    long extended = lastKey + (int) (reader.value(i, key) - lastKey); // keys have 32 bits
                    if (extended > lastKey) {
                        lastKey = extended;
                    } else {
                        sent.add(new long[] {extended, reader.value(i, kernelNs)});
                    }
                }
            }
        }
        sent.sort(Comparator.<long[]>comparingLong(stamp -> stamp[0]).thenComparingLong(stamp -> stamp[1]));
        return new SegmentsSentAgain(sent);
    }

    /**
     * Returns when the segment that contains a byte was last retransmitted, CLOCK_REALTIME in ns.
     *
     * @param key the key of the byte, in full
     * @param arrivedNs when it arrived; what was retransmitted later was not needed
     * @param notSentNs returned if the segment was not sent again before it arrived
     */
    long latestNs(long key, long arrivedNs, long notSentNs) {
        int from = firstFrom(key);
        long latestNs = notSentNs;
        for (int i = from; i < sent.size() && sent.get(i)[0] == sent.get(from)[0] && sent.get(i)[1] <= arrivedNs; i++) {
            latestNs = Math.max(latestNs, sent.get(i)[1]);
        }
        return latestNs;
    }

    /** Returns the index of the first stamp whose key is the given one or greater. */
    private int firstFrom(long key) {
        return (int) Bisection.first(0, sent.size(), stamp -> sent.get((int) stamp)[0] >= key);
    }
}
