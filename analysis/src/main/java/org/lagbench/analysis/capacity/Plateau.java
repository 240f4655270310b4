package org.lagbench.analysis.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.MedianInterval;

/**
 * A part of a transfer in which bytes were acknowledged at a steady rate. On a path that is not full, gaps between the
 * windows make the rate unsteady.
 *
 * @param from the number of its first state in the {@link ProbeCurve}
 * @param to the number of its last state
 * @param bitsPerS its mean rate
 * @param lowBitsPerS the lower end of the confidence interval of the median rate of its bins
 * @param highBitsPerS its upper end
 */
record Plateau(int from, int to, double bitsPerS, double lowBitsPerS, double highBitsPerS) {
    /**
     * A rate is computed for each bin: a quarter of a round trip, but at least {@link #LEAST_BIN_NS}, and the time of
     * {@link #LEAST_SEGMENTS}. A shorter bin would be distorted by the polling interval, by batches of packets and by
     * the number of acknowledgments that it happens to contain.
     */
    private static final double BINS_PER_ROUND_TRIP = 4;

    private static final double LEAST_BIN_NS = 5e6;
    private static final double LEAST_SEGMENTS = 8;

    /** The minimum length of a plateau, in round trips. */
    private static final double LEAST_ROUND_TRIPS = 2;

    private static final int LEAST_BINS = 6;

    /** The maximum relative deviation of a bin's rate from the mean rate of its plateau. */
    private static final double TOLERANCE = 0.25;

    /** The longest plateau is chosen among those whose rate is at least this part of the greatest rate. */
    private static final double ABOUT_EQUAL = 0.9;

    /**
     * Returns the plateau with the greatest rate; null if there is none.
     *
     * @param end the state in which the last byte was acknowledged
     */
    static @Nullable Plateau of(ProbeCurve curve, int end, double roundTripNs) {
        double bitsPerNs = curve.ackedBitsPerS(curve.at((double) curve.ns(end) / 2), end) / 1e9;
        double segmentsNs = LEAST_SEGMENTS * 8 * (double) curve.value(end, "mss_bytes") / bitsPerNs;
        double binNs = Math.max(segmentsNs, Math.max(roundTripNs / BINS_PER_ROUND_TRIP, LEAST_BIN_NS));
        int[] edges = edges(curve, end, binNs);
        double[] rates = new double[Math.max(0, edges.length - 1)];
        for (int bin = 0; bin < rates.length; bin++) {
            rates[bin] = curve.ackedBitsPerS(edges[bin], edges[bin + 1]);
        }
        double leastNs = LEAST_ROUND_TRIPS * roundTripNs;
        List<Plateau> plateaus = new ArrayList<>();
        for (int first = 0; first < rates.length; ) {
            int next = endOfSteady(rates, first);
            if (next - first >= LEAST_BINS && (double) (curve.ns(edges[next]) - curve.ns(edges[first])) >= leastNs) {
                plateaus.add(of(curve, edges[first], edges[next], Arrays.copyOfRange(rates, first, next)));
                first = next;
            } else {
                first++;
            }
        }
        double greatest = plateaus.stream().mapToDouble(Plateau::bitsPerS).max().orElse(0);
        Plateau best = null;
        for (Plateau plateau : plateaus) {
            boolean isHigh = plateau.bitsPerS() >= ABOUT_EQUAL * greatest;
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
        double least = Double.POSITIVE_INFINITY;
        double greatest = 0;
        double sum = 0;
        for (int end = first; end < rates.length; end++) {
            least = Math.min(least, rates[end]);
            greatest = Math.max(greatest, rates[end]);
            sum += rates[end];
            double mean = sum / (end - first + 1);
            if (least == 0 || least < (1 - TOLERANCE) * mean || greatest > (1 + TOLERANCE) * mean) {
                return end;
            }
        }
        return rates.length;
    }

    private static Plateau of(ProbeCurve curve, int from, int to, double[] rates) {
        Arrays.sort(rates);
        int rank = MedianInterval.of(rates.length).rank();
        double mean = curve.ackedBitsPerS(from, to);
        return new Plateau(from, to, mean, Math.min(mean, rates[rank]), Math.max(mean, rates[rates.length - 1 - rank]));
    }

    private double lengthNs(ProbeCurve curve) {
        return (double) (curve.ns(to) - curve.ns(from));
    }
}
