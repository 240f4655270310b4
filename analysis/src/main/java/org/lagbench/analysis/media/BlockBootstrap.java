package org.lagbench.analysis.media;

import java.util.Arrays;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/**
 * Resamples the number of late packets in blocks of consecutive packets, so that packets that are late together stay
 * together: the moving-block bootstrap (Künsch 1989). Blocks wrap around from the last packet to the first (Politis and
 * Romano 1992), so that every packet is equally likely to be drawn. Packets are counted in at most {@value #CELLS}
 * cells of consecutive packets, and blocks are whole cells.
 *
 * <p>The block length is that of Politis and White (2004; corrected by Patton, Politis and White 2009), from the
 * autocorrelation of the cells: with the autocovariance R(k) at k cells, m the least number after which the next max(5,
 * √log₁₀N) autocorrelations are all within ± 2·√(log₁₀N / N), M = 2m, and λ(t) = 1 up to t = ½ and 2(1 − t) from there,
 *
 * <pre>
 *   G = Σ λ(|k|/M)·|k|·R(k),   g = Σ λ(|k|/M)·R(k),   k from −M to M
 *   length = (2·G² / (4/3·g²))^⅓ · N^⅓,   at least 1 cell, at most min(3·√N, N/3)
 * </pre>
 *
 * <p>The random numbers are seeded by {@value #SEED}, so that the same cells give the same result.
 */
final class BlockBootstrap {
    /** The greatest number of cells. */
    static final int CELLS = 2048;

    /** The number of resamples. */
    static final int REPLICATES = 1000;

    static final int SEED = 7679;

    private static final int FEWEST_INSIGNIFICANT = 5;

    private final int[] cells;
    private final int blockCells;

    /** @param cells number of late packets in each cell */
    BlockBootstrap(int[] cells) {
        this.cells = cells;
        this.blockCells = blockCells(cells);
    }

    /** Returns the length of a block in cells. */
    int blockCells() {
        return blockCells;
    }

    /** Returns {@value #REPLICATES} resampled numbers of late packets. */
    long[] draw() {
        int n = cells.length;
        long[] before = new long[2 * n + 1];
        for (int i = 0; i < 2 * n; i++) {
            before[i + 1] = before[i] + cells[i % n];
        }
        RandomGenerator random = new Well19937c(SEED);
        long[] drawn = new long[REPLICATES];
        for (int replicate = 0; replicate < REPLICATES; replicate++) {
            for (int filled = 0; filled < n; filled += blockCells) {
                int from = random.nextInt(n);
                drawn[replicate] += before[from + Math.min(blockCells, n - filled)] - before[from];
            }
        }
        return drawn;
    }

    private static int blockCells(int[] cells) {
        int n = cells.length;
        double mean = Arrays.stream(cells).average().orElse(0);
        double variance = autocovariance(cells, mean, 0);
        if (variance == 0 || n < 2 * FEWEST_INSIGNIFICANT) {
            return 1;
        }
        double log = Math.log10(n);
        int insignificant = Math.max(FEWEST_INSIGNIFICANT, (int) Math.ceil(Math.sqrt(log)));
        double threshold = 2 * Math.sqrt(log / n) * variance;
        int longest = (int) Math.ceil(Math.sqrt(n)) + insignificant;
        double[] covariances = new double[Math.min(n, 2 * longest + insignificant + 1)];
        Arrays.setAll(covariances, k -> autocovariance(cells, mean, k));
        int bandwidth =
                Math.min(2 * lastSignificant(covariances, threshold, insignificant, longest), covariances.length - 1);
        double g = variance;
        double weighted = 0;
        for (int k = 1; k <= bandwidth; k++) {
            double window = 2.0 * k <= bandwidth ? 1 : 2 * (1 - k / (double) bandwidth);
            g += 2 * window * covariances[k];
            weighted += 2 * window * k * covariances[k];
        }
        double length = Math.cbrt(2 * weighted * weighted / (4.0 / 3 * g * g) * n);
        return (int) Math.ceil(Math.max(1, Math.min(length, Math.min(3 * Math.sqrt(n), n / 3.0))));
    }

    /** Returns the least m after which {@code insignificant} autocovariances are below the threshold. */
    private static int lastSignificant(double[] covariances, double threshold, int insignificant, int longest) {
        int m = 0;
        for (int k = 1; k <= m + insignificant && m < longest && k < covariances.length; k++) {
            if (Math.abs(covariances[k]) > threshold) {
                m = k;
            }
        }
        return Math.min(m, longest);
    }

    private static double autocovariance(int[] cells, double mean, int lag) {
        double sum = 0;
        for (int i = lag; i < cells.length; i++) {
            sum += (cells[i] - mean) * (cells[i - lag] - mean);
        }
        return sum / cells.length;
    }
}
