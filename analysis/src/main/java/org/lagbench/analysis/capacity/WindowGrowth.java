package org.lagbench.analysis.capacity;

import java.util.ArrayList;
import java.util.List;

/**
 * The congestion window of a transfer in one of its first round trips.
 *
 * @param cwndSegments the window in the middle of the round trip
 * @param sentBytes the bytes sent in the round trips before
 */
public record WindowGrowth(long cwndSegments, long sentBytes) {
    /**
     * Returns the windows of the round trips, all of the least length, in which slow start had bytes to send. A round
     * trip that is longer, because the link takes time to send the window, ends the list.
     */
    public static List<WindowGrowth> of(ProbeCurve curve) {
        long minRttNs = curve.value(curve.last(), "min_rtt_ns");
        List<WindowGrowth> rounds = new ArrayList<>();
        if (minRttNs <= 0 || !ProbeVerdict.isInSlowStart(curve)) {
            return rounds;
        }
        int beginning = firstSent(curve);
        long bytes = curve.ackedBytes(curve.last());
        long sentBytes = 0;
        for (double round = 0; sentBytes < bytes; round++) {
            double middleNs = (double) curve.ns(beginning) + (round + 0.5) * (double) minRttNs;
            int state = curve.at(middleNs);
            if (state == curve.last() || curve.firstSentBytes(state) == sentBytes) {
                break;
            }
            rounds.add(new WindowGrowth(curve.value(state, "cwnd_segments"), sentBytes));
            sentBytes = curve.firstSentBytes(state);
        }
        return rounds;
    }

    /** Returns the first state after the first segment was sent. */
    private static int firstSent(ProbeCurve curve) {
        return curve.whenSent(1);
    }
}
