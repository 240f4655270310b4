package org.lagbench.analysis.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Interval;

/**
 * A part of a transfer in which bytes were acknowledged at a steady rate. On a path that is not full, gaps between the
 * windows make the rate unsteady.
 *
 * <p>While the queue before the link grows, other flows get less of the link than they send, and the transfer gets more
 * than they leave. If the round trip grows by x ns per ns, a flow of rate u gets u·(1 − x). So the rate of a bin is a
 * line over x, whose value at x = 0 is the rate that the transfer keeps. Without other flows the line is level.
 *
 * @param from the number of its first state in the {@link ProbeCurve}
 * @param to the number of its last state
 * @param meanBitsPerS its mean rate
 * @param kept the rate while the queue does not grow, in bits per second. Its interval is the confidence interval of
 *     the median over the bins, widened by that of the slope of the line
 */
record Plateau(int from, int to, double meanBitsPerS, Interval kept) {
    /**
     * A rate is computed for each bin: a quarter of a round trip, but at least {@link #MIN_BIN_NS}, and the time of
     * {@link #MIN_SEGMENTS}. A shorter bin would be distorted by the polling interval, by batches of packets and by the
     * number of acknowledgments that it happens to contain.
     */
    private static final double BINS_PER_ROUND_TRIP = 4;

    private static final double MIN_BIN_NS = 5e6;
    private static final double MIN_SEGMENTS = 8;

    private static final String RTT = "rtt_ns";

    /** The minimum length of a plateau, in round trips. */
    private static final double MIN_ROUND_TRIPS = 2;

    private static final int MIN_BINS = 6;

    /** The maximum relative deviation of a bin's rate from the mean rate of its plateau. */
    private static final double TOLERANCE = 0.25;

    /** Bins show the slope of the line over x only if their x differ by more than this. */
    private static final double GROWTH_RANGE_MIN = 0.1;

    /** The quantile of the normal distribution for the confidence interval of the slope. */
    private static final double NORMAL_975 = 1.96;

    /** The longest plateau is chosen among those whose rate is at least this part of the largest rate. */
    private static final double ABOUT_EQUAL = 0.9;

    /**
     * Returns the plateau with the highest rate; null if there is none.
     *
     * @param end the state in which the last byte was acknowledged
     * @param roundTripNs the minimum round trip
     * @param queueNs how much longer round trips are while a queue keeps the link busy
     */
    static @Nullable Plateau of(ProbeCurve curve, int end, double roundTripNs, double queueNs) {
        double bitsPerNs = curve.ackedBitsPerS(curve.at((double) curve.ns(end) / 2), end) / 1e9;
        double segmentsNs = MIN_SEGMENTS * 8 * (double) curve.value(end, "mss_bytes") / bitsPerNs;
        double binNs = Math.max(segmentsNs, Math.max(roundTripNs / BINS_PER_ROUND_TRIP, MIN_BIN_NS));
        int[] edges = edges(curve, end, binNs);
        double[] rates = new double[Math.max(0, edges.length - 1)];
        double[] growths = new double[rates.length];
        for (int bin = 0; bin < rates.length; bin++) {
            rates[bin] = curve.ackedBitsPerS(edges[bin], edges[bin + 1]);
            growths[bin] = (double) (curve.value(edges[bin + 1], RTT) - curve.value(edges[bin], RTT))
                    / (double) (curve.ns(edges[bin + 1]) - curve.ns(edges[bin]));
        }
        double minNs = MIN_ROUND_TRIPS * roundTripNs;
        List<Plateau> plateaus = new ArrayList<>();
        for (int first = 0; first < rates.length; ) {
            int next = endOfSteady(rates, first);
            if (next - first >= MIN_BINS && (double) (curve.ns(edges[next]) - curve.ns(edges[first])) >= minNs) {
                int queued = first; // the link may have been idle for a part of earlier bins
                while (queued < next && (double) curve.value(edges[queued], RTT) - roundTripNs < queueNs) {
                    queued++;
                }
                queued = next - queued < MIN_BINS ? first : queued;
                double mean = curve.ackedBitsPerS(edges[queued], edges[next]);
                double[] full = Arrays.copyOfRange(rates, queued, next);
                Interval kept = kept(mean, full, Arrays.copyOfRange(growths, queued, next));
                plateaus.add(new Plateau(edges[first], edges[next], mean, kept));
                first = next;
            } else {
                first++;
            }
        }
        double max = plateaus.stream().mapToDouble(Plateau::meanBitsPerS).max().orElse(0);
        Plateau best = null;
        for (Plateau plateau : plateaus) {
            boolean isHigh = plateau.meanBitsPerS() >= ABOUT_EQUAL * max;
            if (isHigh && (best == null || plateau.lengthNs(curve) > best.lengthNs(curve))) {
                best = plateau;
            }
        }
        return best;
    }

    /** Returns the numbers of the states at the edges of the bins. The last bin ends with the transfer. */
    private static int[] edges(ProbeCurve curve, int end, double binNs) {
        double endNs = (double) curve.ns(end);
        int bins = (int) (endNs / binNs);
        int[] edges = new int[bins + 1];
        for (int i = 0; i <= bins; i++) {
            edges[i] = curve.at(endNs - (bins - i) * binNs);
        }
        return Arrays.stream(edges).distinct().toArray();
    }

    /**
     * Returns the end, exclusive, of the longest series of bins from {@code first} on with a steady rate. A bin without
     * acknowledged bytes ends it: then the connection paused, for example until a retransmission.
     */
    private static int endOfSteady(double[] rates, int first) {
        double min = Double.POSITIVE_INFINITY;
        double max = 0;
        double sum = 0;
        for (int end = first; end < rates.length; end++) {
            min = Math.min(min, rates[end]);
            max = Math.max(max, rates[end]);
            sum += rates[end];
            double mean = sum / (end - first + 1);
            if (min == 0 || min < (1 - TOLERANCE) * mean || max > (1 + TOLERANCE) * mean) {
                return end;
            }
        }
        return rates.length;
    }

    /** Returns the rate while the queue does not grow, from the rates of bins and the growths x of the round trip. */
    private static Interval kept(double mean, double[] rates, double[] growths) {
        int bins = rates.length;
        double[] slopes = new double[bins * (bins - 1) / 2];
        int count = 0;
        for (int later = 1; later < bins; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                double difference = growths[later] - growths[earlier];
                if (Math.abs(difference) > GROWTH_RANGE_MIN) {
                    slopes[count++] = (rates[later] - rates[earlier]) / difference;
                }
            }
        }
        double growth = Math.max(0, Arrays.stream(growths).average().orElseThrow());
        double slope = 0;
        double minSlope = 0;
        double maxSlope = mean; // too few bins to see what other flows lose
        if (count >= bins) {
            Arrays.sort(slopes, 0, count);
            // Sen (1968): ranks of the slopes by the variance of Kendall's statistic
            double ranks = NORMAL_975 * Math.sqrt(bins * (bins - 1.0) * (2.0 * bins + 5) / 18);
            double share = Math.min(1, ranks / (bins * (bins - 1) / 2.0));
            slope = Math.max(0, slopes[count / 2]);
            minSlope = Math.max(0, slopes[(int) ((count - 1) * (1 - share) / 2)]);
            maxSlope = Math.max(0, slopes[(int) Math.ceil((count - 1) * (1 + share) / 2)]);
        }
        double[] kept = new double[bins];
        for (int bin = 0; bin < bins; bin++) {
            kept[bin] = rates[bin] - slope * growths[bin];
        }
        Arrays.sort(kept);
        int rank = Interval.medianRank(bins);
        double value = mean - slope * growth;
        return new Interval(
                value,
                Math.min(value, kept[rank]) - (maxSlope - slope) * growth,
                Math.max(value, kept[bins - 1 - rank]) + (slope - minSlope) * growth);
    }

    private double lengthNs(ProbeCurve curve) {
        return (double) (curve.ns(to) - curve.ns(from));
    }
}
