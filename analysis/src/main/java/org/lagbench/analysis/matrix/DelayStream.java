package org.lagbench.analysis.matrix;

import java.nio.file.Path;
import java.util.Arrays;
import org.lagbench.analysis.capacity.PacketTrain;
import org.lagbench.core.failure.LagbenchException;

/**
 * The one-way delays of a flow's packets in the order of sending. Delays include the clock offset.
 *
 * @param sentNs when each packet was sent, ascending, in ns since the epoch
 * @param lagsNs the delay of each packet in ns; NaN if it was lost
 * @param latenessNs how much later than scheduled each packet was sent, in ns
 */
@SuppressWarnings("ArrayRecordComponent") // many numbers, never compared
public record DelayStream(long[] sentNs, double[] lagsNs, double[] latenessNs) {
    /** Reads the captures of a one-way run. */
    public static DelayStream read(Path run) throws LagbenchException {
        PacketTrain train = PacketTrain.read(run, 0);
        long[] sent = train.sentNs();
        double[] lags = new double[sent.length];
        double[] lateness = new double[sent.length];
        for (int packet = 0; packet < sent.length; packet++) {
            long receivedNs = train.receivedNs()[packet];
            lags[packet] = receivedNs == 0 ? Double.NaN : (double) (receivedNs - sent[packet]);
            lateness[packet] = (double) (sent[packet] - train.scheduledNs()[packet]);
        }
        return new DelayStream(sent, lags, lateness);
    }

    int packets() {
        return sentNs.length;
    }

    long sentNs(int packet) {
        return sentNs[packet];
    }

    /** Returns a delay in ns; NaN if the packet was lost. */
    double lagNs(int packet) {
        return lagsNs[packet];
    }

    boolean isLost(int packet) {
        return Double.isNaN(lagsNs[packet]);
    }

    /** Returns the index of the first packet sent at this time or later. */
    int firstFrom(long ns) {
        int found = Arrays.binarySearch(sentNs, ns);
        return found < 0 ? -found - 1 : found;
    }

    /** Returns the delays of the packets that arrived, sorted. */
    double[] sortedLagsNs() {
        return Arrays.stream(lagsNs).filter(lag -> !Double.isNaN(lag)).sorted().toArray();
    }

    /** Returns the lateness of the packets, sorted. */
    double[] sortedLatenessNs() {
        return Arrays.stream(latenessNs).sorted().toArray();
    }
}
