package org.lagbench.analysis.capacity;

import java.util.ArrayList;
import java.util.List;

/**
 * The congestion window of a transfer in one of its first round trips.
 *
 * @param cwndSegments the window in the middle of the round trip
 * @param sentBytes the bytes sent in all earlier round trips
 */
public record WindowGrowth(long cwndSegments, long sentBytes) {
    /**
     * Returns the windows of the round trips in which slow start had bytes to send and the window grew. Each round trip
     * is assumed to take the minimum round-trip time. The list is empty if the transfer left slow start, or fewer than
     * two such round trips were read. Over loopback a round trip is shorter than the polling interval.
     */
    public static List<WindowGrowth> of(ProbeCurve curve) {
        long minRttNs = curve.value(curve.last(), "min_rtt_ns");
        List<WindowGrowth> rounds = new ArrayList<>();
        if (minRttNs <= 0 || !ProbeVerdict.isInSlowStart(curve)) {
            return rounds;
        }
        int beginning = curve.whenSent(1);
        long bytes = curve.ackedBytes(curve.last());
        long sentBytes = 0;
        long window = 0;
        for (int round = 0; sentBytes < bytes && round < SlowStart.MAXIMUM_ROUNDS; round++) {
            double middleNs = (double) curve.ns(beginning) + (round + 0.5) * (double) minRttNs;
            int state = curve.nearest(middleNs);
            if (state == curve.last() || curve.value(state, "cwnd_segments") <= window) {
                break;
            }
            window = curve.value(state, "cwnd_segments");
            rounds.add(new WindowGrowth(window, sentBytes));
            sentBytes = curve.firstSentBytes(state);
        }
        return rounds.size() > 1 ? rounds : List.of();
    }
}
