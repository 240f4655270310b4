package org.lagbench.analysis.compression;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The turning point of formula (6), fitted to transfers of n chunks with different computation times tc, as in figure
 * 14 and Table 2 of Hu (2003). The total time is a broken line. Up to the turning point, it is tc + n ts, with slope 1.
 * Beyond the turning point, it is n tc + (n − 1) tb + ts, with slope n. The turning point is at tc = ts − tb. Both
 * intercepts are fitted by least squares, for each split of the transfers between the two parts of the line. The split
 * with the smallest error is used. Times are in ns for one chunk.
 *
 * @param transfers number of runs
 * @param chunks number of chunks of a transfer, n
 * @param transmitNs time to transmit a chunk, ts
 * @param turningNs the computation time of the turning point, ts − tb
 * @param chunkBytes size of a chunk
 */
public record TurningPoint(int transfers, long chunks, Resampling transmitNs, Resampling turningNs, double chunkBytes) {
    private static final double BITS_PER_BYTE = 8;
    private static final double NS_PER_S = 1e9;

    /** The minimum number of different computation times. */
    private static final int LEAST_TIMES = 4;

    /** The part by which a computation time may be on the wrong side of the turning point, because of noise. */
    private static final double TOLERANCE = .05;

    /** A run; points are numbered in the order of their computation times. */
    private record Observation(int point, double computeNs, double totalNs) {}

    /** @param left number of points before the turning point */
    private record Fit(double transmitNs, double turningNs, int left) {
        double copyNs() {
            return transmitNs - turningNs;
        }
    }

    /**
     * Fits the runs of several points that differ in the computation time only.
     *
     * @param points the runs of each point in the order of their computation times, all with the same number of chunks
     * @return null if there are fewer than {@value #LEAST_TIMES} points, or no turning point with at least two points
     *     on each side
     */
    public static @Nullable TurningPoint of(List<List<CompressionFigures>> points) {
        if (points.size() < LEAST_TIMES) {
            return null;
        }
        CompressionFigures first = points.get(0).get(0);
        double n = first.chunks();
        List<Observation> runs = new ArrayList<>();
        for (int point = 0; point < points.size(); point++) {
            for (CompressionFigures figures : points.get(point)) {
                runs.add(new Observation(point, figures.medianCompressNs() / n, figures.medianTotalNs()));
            }
        }
        Fit all = fit(runs, n, points.size());
        if (all == null) {
            return null;
        }
        int[][] sides = {
            IntStream.range(0, runs.size())
                    .filter(run -> runs.get(run).point() < all.left())
                    .toArray(),
            IntStream.range(0, runs.size())
                    .filter(run -> runs.get(run).point() >= all.left())
                    .toArray()
        };
        return new TurningPoint(
                runs.size(),
                first.chunks(),
                Resampling.of(sides, drawn -> at(all.left(), runs, drawn, n).transmitNs()),
                Resampling.of(sides, drawn -> at(all.left(), runs, drawn, n).turningNs()),
                first.encodedBytes() / n);
    }

    /** Returns the fit with the smallest error that is consistent with its split; null if there is none. */
    private static @Nullable Fit fit(List<Observation> runs, double n, int points) {
        int[] all = IntStream.range(0, runs.size()).toArray();
        Fit best = null;
        double least = Double.POSITIVE_INFINITY;
        for (int left = 2; left <= points - 2; left++) {
            Fit fit = at(left, runs, all, n);
            double error = error(runs, n, fit);
            if (error < least && isConsistent(fit, runs)) {
                least = error;
                best = fit;
            }
        }
        return best;
    }

    /** Fits the intercepts of both lines, with {@code left} points before the turning point. */
    private static Fit at(int left, List<Observation> runs, int[] drawn, double n) {
        double flat = 0;
        double steep = 0;
        int flatRuns = 0;
        for (int index : drawn) {
            Observation run = runs.get(index);
            if (run.point() < left) {
                flat += run.totalNs() - run.computeNs();
                flatRuns++;
            } else {
                steep += run.totalNs() - n * run.computeNs();
            }
        }
        flat /= flatRuns;
        steep /= drawn.length - flatRuns;
        return new Fit(flat / n, (flat - steep) / (n - 1), left);
    }

    private static boolean isConsistent(Fit fit, List<Observation> runs) {
        return runs.stream()
                .allMatch(run -> run.point() < fit.left()
                        ? run.computeNs() <= fit.turningNs() * (1 + TOLERANCE)
                        : run.computeNs() >= fit.turningNs() * (1 - TOLERANCE));
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
    public Resampling bitsPerS() {
        double bits = BITS_PER_BYTE * NS_PER_S * chunkBytes;
        return new Resampling(bits / transmitNs.value(), bits / transmitNs.high(), bits / transmitNs.low());
    }
}
