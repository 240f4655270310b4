package org.lagbench.analysis.capacity;

import java.util.ArrayList;
import java.util.List;

/**
 * The arithmetic of TCP's slow start (RFC 5681, section 3.1): a window of w segments is sent in the first round trip,
 * and γ times as many in each later one. The time to transmit a segment is neglected.
 *
 * @param initialWindow w, in segments, at least 1
 * @param growth γ per round trip, more than 1; 2 if each acknowledged segment opens the window by one
 */
public record SlowStart(int initialWindow, double growth) {
    /** The growth γ if the sender counts acknowledged segments instead of acknowledgments, as Linux does. */
    public static final double DOUBLING = 2;

    /** An upper bound of the round trips of a transfer; with γ = 2 it would send 2^62 segments. */
    static final int MAXIMUM_ROUNDS = 62;

    public SlowStart {
        if (initialWindow < 1 || !(growth > 1)) {
            throw new IllegalArgumentException("the window must be at least 1 segment and grow by a factor above 1: "
                    + initialWindow + ", " + growth);
        }
    }

    /** Returns the window after this many round trips, in segments. */
    public double windowAfter(int rounds) {
        return initialWindow * Math.pow(growth, rounds);
    }

    /** Returns the number of segments sent in this many round trips. */
    public double sentIn(int rounds) {
        return initialWindow * (Math.pow(growth, rounds) - 1) / (growth - 1);
    }

    /**
     * Returns the time from the first segment until the last acknowledgment, in ns. A round trip begins when the first
     * segment of the previous one is acknowledged. Once the link takes longer than a round trip to send a window, the
     * path is full. The remaining bytes are then sent at the path's rate.
     *
     * @param segmentBytes payload of a segment
     * @param bytesPerS rate of the path's payload
     */
    public double transferNs(long bytes, int segmentBytes, double roundTripNs, double bytesPerS) {
        double nsPerSegment = segmentBytes * 1e9 / bytesPerS;
        double left = Math.ceil((double) bytes / segmentBytes);
        double beginNs = 0;
        for (int round = 0; ; round++) {
            double window = windowAfter(round);
            boolean isFull = window * nsPerSegment >= roundTripNs;
            if (isFull || window >= left) {
                return beginNs + left * nsPerSegment + roundTripNs;
            }
            left -= window;
            beginNs += roundTripNs;
        }
    }

    /**
     * The congestion window of a transfer in one of its first round trips.
     *
     * @param cwndSegments the window in the middle of the round trip
     * @param sentBytes the bytes sent in all earlier round trips
     */
    public record WindowGrowth(long cwndSegments, long sentBytes) {
        /**
         * Returns the windows of the round trips in which slow start had bytes to send and the window grew. Each round
         * trip is assumed to take the minimum round-trip time. The list is empty if the transfer left slow start, or
         * fewer than two such round trips were read. Over loopback a round trip is shorter than the polling interval.
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
}
