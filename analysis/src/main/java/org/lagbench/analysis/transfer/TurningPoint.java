package org.lagbench.analysis.transfer;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.text.Units;

/**
 * The turning point of formula (6), fitted to transfers of n chunks with different computation times tc, as in figure
 * 14 and Table 2 of Hu (2003). The total time is a broken line. Up to the turning point, it is tc + n ts, with slope 1.
 * Beyond the turning point, it is n tc + (n − 1) tb + ts, with slope n. The turning point is at tc = ts − tb. Both
 * intercepts are fitted by least squares, for each split of the points between the two parts of the line. The split
 * with the smallest error is used. Times are in ns for one chunk.
 *
 * <p>The intervals are of a bootstrap over the runs of each point, with a new split in each resample. There is none for
 * points with one run. Resamples without a turning point are left out.
 *
 * @param transfers number of runs
 * @param chunks number of chunks of a transfer, n
 * @param transmitNs time to transmit a chunk, ts
 * @param turningNs the computation time of the turning point, ts − tb
 * @param chunkBytes size of a chunk
 */
public record TurningPoint(int transfers, long chunks, Interval transmitNs, Interval turningNs, double chunkBytes) {

    /** The minimum number of different computation times. */
    private static final int MIN_TIMES = 4;

    /** The part by which a computation time may be on the wrong side of the turning point, because of noise. */
    private static final double TOLERANCE = .05;

    /** A run. */
    private record Observation(double computeNs, double totalNs) {}

    private record Fit(double transmitNs, double turningNs) {
        double copyNs() {
            return transmitNs - turningNs;
        }
    }

    /**
     * Fits the runs of several points that differ in the computation time only.
     *
     * @param points the runs of each point in the order of their computation times, all with the same number of chunks
     * @return null if there are fewer than {@value #MIN_TIMES} points, or no turning point with at least two points on
     *     each side
     */
    public static @Nullable TurningPoint of(List<List<CompressionMetrics>> points) {
        if (points.size() < MIN_TIMES) {
            return null;
        }
        CompressionMetrics first = points.get(0).get(0);
        double n = first.chunks();
        List<List<Observation>> observed = points.stream()
                .map(runs -> runs.stream()
                        .map(run -> new Observation(run.medianCompressNs() / n, run.medianTotalNs()))
                        .toList())
                .toList();
        if (fit(observed, n) == null) {
            return null;
        }
        return new TurningPoint(
                observed.stream().mapToInt(List::size).sum(),
                first.chunks(),
                Interval.ofStrata(observed, drawn -> valueOf(fit(drawn, n), Fit::transmitNs)),
                Interval.ofStrata(observed, drawn -> valueOf(fit(drawn, n), Fit::turningNs)),
                first.encodedBytes() / n);
    }

    private static double valueOf(@Nullable Fit fit, ToDoubleFunction<Fit> value) {
        return fit == null ? Double.NaN : value.applyAsDouble(fit);
    }

    /** Returns the fit with the smallest error that is consistent with its split; null if there is none. */
    private static @Nullable Fit fit(List<List<Observation>> points, double n) {
        Fit best = null;
        double min = Double.POSITIVE_INFINITY;
        for (int left = 2; left <= points.size() - 2; left++) {
            List<Observation> flat = runs(points.subList(0, left));
            List<Observation> steep = runs(points.subList(left, points.size()));
            double flatNs = mean(flat, run -> run.totalNs() - run.computeNs());
            double steepNs = mean(steep, run -> run.totalNs() - n * run.computeNs());
            Fit fit = new Fit(flatNs / n, (flatNs - steepNs) / (n - 1));
            double error = error(flat, n, fit) + error(steep, n, fit);
            if (error < min
                    && flat.stream().allMatch(run -> run.computeNs() <= fit.turningNs() * (1 + TOLERANCE))
                    && steep.stream().allMatch(run -> run.computeNs() >= fit.turningNs() * (1 - TOLERANCE))) {
                min = error;
                best = fit;
            }
        }
        return best;
    }

    private static List<Observation> runs(List<List<Observation>> points) {
        return points.stream().flatMap(List::stream).toList();
    }

    private static double mean(List<Observation> runs, ToDoubleFunction<Observation> value) {
        return runs.stream().mapToDouble(value).average().orElseThrow();
    }

    private static double error(List<Observation> runs, double n, Fit fit) {
        return runs.stream()
                .mapToDouble(run ->
                        run.totalNs() - CompressionModels.overlap(n, run.computeNs(), fit.copyNs(), fit.transmitNs()))
                .map(difference -> difference * difference)
                .sum();
    }

    /** Returns the total time for a computation time of each chunk, by formula (6) with the fitted times. */
    public double totalNs(double computeNs) {
        return CompressionModels.overlap(
                (double) chunks, computeNs, transmitNs.value() - turningNs.value(), transmitNs.value());
    }

    /** Returns the bandwidth for payload that follows from the time to transmit a chunk, in bits per second. */
    public Interval bitsPerS() {
        double bits = Units.BITS_PER_BYTE * Units.NS_PER_S * chunkBytes;
        return new Interval(bits / transmitNs.value(), bits / transmitNs.high(), bits / transmitNs.low());
    }
}
