package org.lagbench.analysis.compression;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The turning point of formula (6), fitted to transfers of n chunks with different computation times tc, as in figure
 * 14 and Table 2 of Hu (2003). The total follows a broken line: up to the turning point it is tc + n ts, with slope 1;
 * beyond it is n tc + (n − 1) tb + ts, with slope n. Both intercepts are fitted by least squares, for the split of the
 * transfers with the least error. The turning point itself is at tc = ts − tb. Times are in ns for one chunk.
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

    /** The least number of different computation times. */
    private static final int LEAST_TIMES = 4;

    private record Observation(double computeNs, double totalNs) {}

    private record Fit(double transmitNs, double turningNs) {
        double copyNs() {
            return transmitNs - turningNs;
        }
    }

    /**
     * Fits the runs of several points that differ in the computation time only.
     *
     * @param points the runs of each point, all with the same number of chunks
     * @return null if there are fewer than {@value #LEAST_TIMES} points, or no turning point among them
     */
    public static @Nullable TurningPoint of(List<List<CompressionFigures>> points) {
        if (points.size() < LEAST_TIMES) {
            return null;
        }
        CompressionFigures first = points.get(0).get(0);
        double n = first.chunks();
        List<Observation> runs = new ArrayList<>();
        int[][] strata = new int[points.size()][];
        for (int point = 0; point < strata.length; point++) {
            strata[point] = new int[points.get(point).size()];
            for (int run = 0; run < strata[point].length; run++) {
                CompressionFigures figures = points.get(point).get(run);
                strata[point][run] = runs.size();
                runs.add(new Observation(figures.medianCompressNs() / n, figures.medianTotalNs()));
            }
        }
        int[] all = new int[runs.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        if (fit(runs, all, n) == null) {
            return null;
        }
        return new TurningPoint(
                runs.size(),
                first.chunks(),
                Resampling.of(strata, drawn -> value(fit(runs, drawn, n), true)),
                Resampling.of(strata, drawn -> value(fit(runs, drawn, n), false)),
                first.encodedBytes() / n);
    }

    private static double value(@Nullable Fit fit, boolean isTransmission) {
        if (fit == null) {
            return Double.NaN;
        }
        return isTransmission ? fit.transmitNs() : fit.turningNs();
    }

    /** Returns the fit with at least one computation time on each side; null if none is consistent with its split. */
    private static @Nullable Fit fit(List<Observation> runs, int[] drawn, double n) {
        TreeMap<Double, List<Observation>> byTime = new TreeMap<>();
        for (int index : drawn) {
            Observation run = runs.get(index);
            byTime.computeIfAbsent(run.computeNs(), time -> new ArrayList<>()).add(run);
        }
        List<Observation> sorted =
                byTime.values().stream().flatMap(List::stream).toList();
        Fit best = null;
        double least = Double.POSITIVE_INFINITY;
        for (int left = 1; left < sorted.size(); left++) {
            double flat = mean(sorted.subList(0, left), 1);
            double steep = mean(sorted.subList(left, sorted.size()), n);
            double turning = (flat - steep) / (n - 1);
            Fit fit = new Fit(flat / n, turning);
            double error = error(sorted, n, fit);
            if (error < least && turning > 0) {
                least = error;
                best = fit;
            }
        }
        return best;
    }

    /** Returns the mean intercept of a line through each observation. */
    private static double mean(List<Observation> runs, double slope) {
        return runs.stream()
                .mapToDouble(run -> run.totalNs() - slope * run.computeNs())
                .average()
                .orElseThrow();
    }

    private static double error(List<Observation> runs, double n, Fit fit) {
        return runs.stream()
                .mapToDouble(run ->
                        run.totalNs() - CompressionModels.overlap(n, run.computeNs(), fit.copyNs(), fit.transmitNs()))
                .map(difference -> difference * difference)
                .sum();
    }

    /** Returns the bandwidth of the payload that the time to transmit a chunk means, in bits per second. */
    public Resampling bitsPerS() {
        double bits = BITS_PER_BYTE * NS_PER_S * chunkBytes;
        return new Resampling(bits / transmitNs.value(), bits / transmitNs.high(), bits / transmitNs.low());
    }
}
