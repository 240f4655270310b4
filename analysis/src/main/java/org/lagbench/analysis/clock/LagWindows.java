package org.lagbench.analysis.clock;

import java.util.stream.IntStream;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.core.failure.LagbenchException;

/**
 * The smallest received − sent of each of up to {@value #MAX_WINDOWS} windows of consecutive arrivals: the lower
 * envelope of the forward path, on which queues have little effect. Values are relative to the first packet, so that
 * they are exact as floating point.
 */
final class LagWindows {
    private static final int MAX_WINDOWS = 1024;
    private static final int MIN_PACKETS = 16;

    private final long arrivals;
    private final long packetsPerWindow;
    private final long[] firstArrival;
    private final double[] sentNs;
    private final double[] lagNs;
    private long packets;
    private long originNs;
    private long baseNs;

    private LagWindows(long arrivals) {
        this.arrivals = arrivals;
        packetsPerWindow = Math.max(MIN_PACKETS, (arrivals + MAX_WINDOWS - 1) / MAX_WINDOWS);
        int max = (int) (arrivals / packetsPerWindow) + 1;
        firstArrival = new long[max];
        sentNs = new double[max];
        lagNs = new double[max];
    }

    static LagWindows of(JoinedRun run) throws LagbenchException {
        LagWindows windows = new LagWindows(run.received());
        run.forEachFirstCopy((arrival, packet) -> windows.add(arrival, run.sentNs(packet), run.receivedNs(arrival)));
        return windows;
    }

    private void add(long arrival, long packetSentNs, long receivedNs) {
        if (packets == 0) {
            originNs = packetSentNs;
            baseNs = receivedNs - packetSentNs;
        }
        int window = (int) (packets / packetsPerWindow);
        double lag = lagNs(packetSentNs, receivedNs);
        if (packets % packetsPerWindow == 0) {
            firstArrival[window] = arrival;
        }
        if (packets % packetsPerWindow == 0 || lag < lagNs[window]) {
            lagNs[window] = lag;
            sentNs[window] = timeNs(packetSentNs);
        }
        packets++;
    }

    /** Returns the number of whole windows. */
    int count() {
        return (int) (packets / packetsPerWindow);
    }

    /** Returns the first arrival of a window; for the window after the last, where that would begin. */
    long firstArrival(int window) {
        return window * packetsPerWindow < packets ? firstArrival[window] : arrivals;
    }

    /** Returns when the packet with the smallest lag of a window was sent. */
    double sentNs(int window) {
        return sentNs[window];
    }

    double lagNs(int window) {
        return lagNs[window];
    }

    /** Returns the smallest lags of consecutive windows without the skew. */
    double[] rests(double skew, int from, int until) {
        return IntStream.range(from, until)
                .mapToDouble(window -> lagNs[window] - skew * sentNs[window])
                .toArray();
    }

    /** Returns how much higher the median of the windows from a boundary on is than that of as many before it. */
    double jump(double skew, int boundary, int reach) {
        return Quantile.median(rests(skew, boundary, boundary + reach))
                - Quantile.median(rests(skew, boundary - reach, boundary));
    }

    /** Returns a time of the sender's clock relative to the first packet. */
    double timeNs(long senderNs) {
        return senderNs - originNs;
    }

    /** Returns an offset relative to the first packet's lag. */
    double lagNs(long fromNs, long toNs) {
        return toNs - fromNs - baseNs;
    }
}
