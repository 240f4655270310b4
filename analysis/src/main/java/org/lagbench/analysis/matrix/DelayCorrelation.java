package org.lagbench.analysis.matrix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;
import org.lagbench.analysis.capacity.PacketTrain;

/**
 * A test whether two flows share a bottleneck (Rubenstein, Kurose and Towsley, Detecting shared congestion of flows via
 * end-to-end measurement, 2002). The cross-measure is the correlation between the delays of both flows at the same
 * time. The auto-measure is the correlation between each flow's delays and its own later delays. The bottleneck is
 * shared if the cross-measure is greater.
 *
 * <p>Delays are averaged over bins. Their ranks are correlated in blocks of 5 s, so that single long delays and clock
 * drift have no effect. The later delays follow after the time in which the auto-measure falls to about 0.5. Clock
 * offsets and different delays outside the bottleneck shift one flow against the other. The shift with the largest
 * cross-measure is used. The shift for one half of the blocks is chosen with the other half.
 *
 * @param sharing the verdict
 * @param probability that the bottleneck is shared; NaN if there is too little data or congestion
 */
public record DelayCorrelation(Sharing sharing, double probability) {
    private static final DelayCorrelation NOTHING = new DelayCorrelation(Sharing.UNCERTAIN, Double.NaN);

    private static final long BLOCK_NS = 5_000_000_000L;
    private static final long MIN_BIN_NS = 10_000_000;
    private static final long LONGEST_SHIFT_NS = 200_000_000;
    private static final int MIN_BLOCKS = 4;
    private static final double TARGET_AUTO = 0.5;

    /** A smaller difference between short and long delays, in ns, is noise of the hosts, not of a bottleneck. */
    private static final double MIN_SPREAD_NS = 1e6;

    /** On busy hosts, the delays must differ by at least this multiple of the difference of the packets' lateness. */
    private static final double MIN_SPREADS = 4;

    /** Standard deviation added to that of the differences, which can be too small in a small sample. */
    private static final double MIN_NOISE = 0.05;

    private static final double LOW = 0.1;
    private static final double HIGH = 0.9;

    /** Compares two one-way streams sent at the same time. */
    public static DelayCorrelation of(PacketTrain first, PacketTrain second) {
        if (!isCongested(first) || !isCongested(second)) {
            return NOTHING;
        }
        long from = Math.max(first.sentNs()[0], second.sentNs()[0]);
        long until = Math.min(first.lastSentNs(), second.lastSentNs());
        long bin = Math.max(MIN_BIN_NS, 2 * Math.max(intervalNs(first), intervalNs(second)));
        int perBlock = (int) (BLOCK_NS / bin);
        int shifts = (int) (LONGEST_SHIFT_NS / bin);
        int bins = (int) ((until - from) / bin);
        int blocks = (bins - 2 * shifts) / perBlock;
        if (blocks < MIN_BLOCKS) {
            return NOTHING;
        }
        double[] x = bins(first, from, bin, bins);
        double[] y = bins(second, from, bin, bins);
        int spacing = spacing(x, y, shifts, blocks, perBlock);
        List<Double> differences = new ArrayList<>();
        int[] shiftOf = {bestShift(x, y, shifts, blocks, perBlock, 1), bestShift(x, y, shifts, blocks, perBlock, 0)};
        for (int block = 0; block < blocks; block++) {
            int start = shifts + block * perBlock;
            double ofBoth = correlation(x, start, y, start + shiftOf[block % 2], perBlock);
            double ofEach = (correlation(x, start, x, start + spacing, perBlock - spacing)
                            + correlation(y, start, y, start + spacing, perBlock - spacing))
                    / 2;
            if (!Double.isNaN(ofBoth) && !Double.isNaN(ofEach)) {
                differences.add(ofBoth - ofEach);
            }
        }
        if (differences.size() < MIN_BLOCKS) {
            return NOTHING;
        }
        double probability = probabilityPositive(differences, MIN_NOISE);
        return new DelayCorrelation(Sharing.of(probability), probability);
    }

    /**
     * Returns the probability that the mean of a normal distribution is positive, by Student's t.
     *
     * @param values at least two
     * @param noise standard deviation of each value in addition to the standard deviation of the sample
     */
    static double probabilityPositive(List<Double> values, double noise) {
        int n = values.size();
        double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        double variance = values.stream()
                        .mapToDouble(value -> (value - mean) * (value - mean))
                        .sum()
                / (n - 1);
        return new TDistribution(n - 1).cumulativeProbability(mean / Math.sqrt((variance + noise * noise) / n));
    }

    private static boolean isCongested(PacketTrain stream) {
        double latenessNs = spread(stream, packet -> (double) (stream.sentNs()[packet] - stream.scheduledNs()[packet]));
        return spread(stream, stream::lagNs) >= Math.max(MIN_SPREAD_NS, MIN_SPREADS * latenessNs);
    }

    /** Returns the difference between high and low values of the packets that have one. */
    private static double spread(PacketTrain stream, IntToDoubleFunction value) {
        double[] sorted = IntStream.range(0, stream.packets())
                .mapToDouble(value)
                .filter(ns -> !Double.isNaN(ns))
                .sorted()
                .toArray();
        return sorted.length == 0
                ? 0
                : sorted[(int) (HIGH * (sorted.length - 1))] - sorted[(int) (LOW * (sorted.length - 1))];
    }

    private static long intervalNs(PacketTrain stream) {
        return (stream.lastSentNs() - stream.sentNs()[0]) / Math.max(1, stream.packets() - 1);
    }

    /** Returns the mean delay of the packets sent in each bin; an empty bin repeats the previous value. */
    private static double[] bins(PacketTrain stream, long fromNs, long binNs, int bins) {
        double[] means = new double[bins];
        double last = stream.minLagNs();
        int packet = stream.firstFrom(fromNs);
        for (int bin = 0; bin < bins; bin++) {
            double sum = 0;
            int count = 0;
            long end = fromNs + (bin + 1) * binNs;
            for (; packet < stream.packets() && stream.sentNs()[packet] < end; packet++) {
                if (!stream.isLost(packet)) {
                    sum += stream.lagNs(packet);
                    count++;
                }
            }
            last = count == 0 ? last : sum / count;
            means[bin] = last;
        }
        return means;
    }

    /** Returns the minimum shift in bins at which the auto-measure is at most {@link #TARGET_AUTO}. */
    private static int spacing(double[] x, double[] y, int shifts, int blocks, int perBlock) {
        for (int spacing = 1; spacing < perBlock / 4; spacing++) {
            double sum = 0;
            for (int block = 0; block < blocks; block++) {
                int start = shifts + block * perBlock;
                sum += orZero(correlation(x, start, x, start + spacing, perBlock - spacing))
                        + orZero(correlation(y, start, y, start + spacing, perBlock - spacing));
            }
            if (sum / (2 * blocks) <= TARGET_AUTO) {
                return spacing;
            }
        }
        return perBlock / 4;
    }

    /** Returns the shift with the largest mean cross-measure over every other block. */
    private static int bestShift(double[] x, double[] y, int shifts, int blocks, int perBlock, int firstBlock) {
        int best = 0;
        double max = Double.NEGATIVE_INFINITY;
        for (int shift = -shifts; shift <= shifts; shift++) {
            double sum = 0;
            for (int block = firstBlock; block < blocks; block += 2) {
                int start = shifts + block * perBlock;
                sum += orZero(correlation(x, start, y, start + shift, perBlock));
            }
            if (sum > max) {
                max = sum;
                best = shift;
            }
        }
        return best;
    }

    private static double correlation(double[] x, int fromX, double[] y, int fromY, int count) {
        return new SpearmansCorrelation()
                .correlation(Arrays.copyOfRange(x, fromX, fromX + count), Arrays.copyOfRange(y, fromY, fromY + count));
    }

    private static double orZero(double correlation) {
        return Double.isNaN(correlation) ? 0 : correlation;
    }
}
