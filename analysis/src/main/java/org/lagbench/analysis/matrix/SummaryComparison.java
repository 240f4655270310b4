package org.lagbench.analysis.matrix;

import org.lagbench.analysis.capacity.PacketTrain;

/**
 * The test of RFC 8382 for two flows: the share of windows in which both are congested, and the share of the congested
 * windows in which their statistics are similar. It is less certain than {@link DelayCorrelation}, because flows with
 * the same load at separate bottlenecks have similar statistics.
 *
 * @param windows the number of windows; 0 if the streams are shorter than a window
 * @param congested the share of windows in which both flows are congested
 * @param similar the share of the congested windows in which the flows are similar; NaN if no window is congested
 */
public record SummaryComparison(int windows, double congested, double similar) {
    private static final int STEP = 5;

    /** Returns the verdict of the majority of the congested windows; UNCERTAIN if few windows are congested. */
    public Sharing sharing() {
        return congested < 0.5 ? Sharing.UNCERTAIN : similar >= 0.5 ? Sharing.SHARED : Sharing.APART;
    }

    /** Compares two one-way streams sent at the same time. */
    public static SummaryComparison of(PacketTrain first, PacketTrain second) {
        long from = Math.max(first.sentNs()[0], second.sentNs()[0]);
        long until = Math.min(first.lastSentNs(), second.lastSentNs());
        int windows = 0;
        int congested = 0;
        int similar = 0;
        boolean firstBefore = false;
        boolean secondBefore = false;
        long length = FlowSummary.INTERVALS * FlowSummary.INTERVAL_NS;
        for (long start = from; start + length <= until; start += STEP * FlowSummary.INTERVAL_NS) {
            FlowSummary one = FlowSummary.of(first, start);
            FlowSummary other = FlowSummary.of(second, start);
            firstBefore = one.isCongested(firstBefore);
            secondBefore = other.isCongested(secondBefore);
            windows++;
            if (firstBefore && secondBefore) {
                congested++;
                similar += one.isSimilar(other) ? 1 : 0;
            }
        }
        return new SummaryComparison(
                windows, windows == 0 ? 0 : (double) congested / windows, (double) similar / congested);
    }

    /**
     * The summary statistics of a flow in a window of {@value #INTERVALS} intervals of 350 ms (RFC 8382, section 3.2).
     * A clock offset cancels out in all of them.
     *
     * @param skewness from −1 to 1: (packets below the window's mean delay − packets above it) / arrived packets; near
     *     1 if few packets are queued
     * @param variabilityNs the mean absolute deviation of delays from the mean of their interval, in ns
     * @param frequency the share of intervals in which the mean delay crosses the window's mean significantly
     * @param loss the share of lost packets
     */
    public record FlowSummary(double skewness, double variabilityNs, double frequency, double loss) {
        /** N and M of RFC 8382. */
        static final int INTERVALS = 50;

        /** T of RFC 8382. */
        static final long INTERVAL_NS = 350_000_000;

        private static final double SIGNIFICANT = 0.7; // p_v of RFC 8382
        private static final double CONGESTED_SKEWNESS = 0.1; // c_s of RFC 8382
        private static final double STILL_CONGESTED_SKEWNESS = 0.3; // c_h of RFC 8382
        private static final double CONGESTED_LOSS = 0.1; // p_l of RFC 8382
        private static final double SIMILAR_FREQUENCY = 0.1; // p_f of RFC 8382
        private static final double SIMILAR_VARIABILITY = 0.1; // p_mad of RFC 8382
        private static final double SIMILAR_SKEWNESS = 0.15; // p_s of RFC 8382
        private static final double SIMILAR_LOSS = 0.1; // p_d of RFC 8382

        /** Returns the statistics of the window that begins at {@code fromNs}. */
        static FlowSummary of(PacketTrain stream, long fromNs) {
            double[] means = new double[INTERVALS];
            long lost = 0;
            long arrived = 0;
            double sum = 0;
            double deviations = 0;
            for (int i = 0; i < INTERVALS; i++) {
                int from = stream.firstFrom(fromNs + i * INTERVAL_NS);
                int until = stream.firstFrom(fromNs + (i + 1) * INTERVAL_NS);
                double ofInterval = 0;
                int count = 0;
                for (int packet = from; packet < until; packet++) {
                    if (!stream.isLost(packet)) {
                        ofInterval += stream.lagNs(packet);
                        count++;
                    }
                }
                means[i] = ofInterval / count;
                for (int packet = from; packet < until; packet++) {
                    deviations += stream.isLost(packet) ? 0 : Math.abs(stream.lagNs(packet) - means[i]);
                }
                sum += ofInterval;
                arrived += count;
                lost += until - from - count;
            }
            double mean = sum / (double) arrived;
            double variability = deviations / (double) arrived;
            int below = 0;
            int end = stream.firstFrom(fromNs + INTERVALS * INTERVAL_NS);
            for (int packet = stream.firstFrom(fromNs); packet < end; packet++) {
                below += stream.isLost(packet) ? 0 : (int) Math.signum(mean - stream.lagNs(packet));
            }
            return new FlowSummary(
                    below / (double) arrived,
                    variability,
                    crossings(means, mean, SIGNIFICANT * variability) / (double) INTERVALS,
                    (double) lost / (double) (arrived + lost));
        }

        /** Counts the changes from one side of the band around the mean to the other. */
        private static int crossings(double[] means, double mean, double band) {
            int crossings = 0;
            int side = 0;
            for (double value : means) {
                int now = value > mean + band ? 1 : value < mean - band ? -1 : 0;
                if (now != 0) {
                    crossings += side != 0 && now != side ? 1 : 0;
                    side = now;
                }
            }
            return crossings;
        }

        /**
         * Returns whether packets of the flow are queued at a bottleneck.
         *
         * @param before whether they were in the previous window
         */
        boolean isCongested(boolean before) {
            return skewness < CONGESTED_SKEWNESS
                    || (before && skewness < STILL_CONGESTED_SKEWNESS)
                    || loss > CONGESTED_LOSS;
        }

        /** Returns whether two congested flows are in the same group according to the RFC. */
        boolean isSimilar(FlowSummary other) {
            return Math.abs(frequency - other.frequency) < SIMILAR_FREQUENCY
                    && Math.abs(variabilityNs - other.variabilityNs)
                            < SIMILAR_VARIABILITY * Math.max(variabilityNs, other.variabilityNs)
                    && Math.abs(skewness - other.skewness) < SIMILAR_SKEWNESS
                    && (Math.max(loss, other.loss) <= CONGESTED_LOSS
                            || Math.abs(loss - other.loss) < SIMILAR_LOSS * Math.max(loss, other.loss));
        }
    }
}
