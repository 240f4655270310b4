package org.lagbench.analysis.media;

import java.util.Arrays;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.stat.StatUtils;
import org.lagbench.analysis.media.PlayoutBudget.LateCountInterval;
import org.lagbench.analysis.statistics.CorrelationTime;

/**
 * Resamples the number of late packets in blocks of consecutive packets, so that packets that are late together stay
 * together: the moving-block bootstrap (Künsch 1989). Blocks wrap around from the last packet to the first (Politis and
 * Romano 1992), so that every packet is equally likely to be drawn. Packets are counted in at most {@value #CELLS}
 * cells of consecutive packets, and blocks are whole cells.
 *
 * <p>The length of a block follows from the {@link CorrelationTime} of the cells. The resampled numbers are widened
 * about the observed one by what blocks do not show of the variance, and as Student's t is wider than the normal
 * distribution. With fewer than {@value CorrelationTime#MIN_BLOCKS} blocks, or late packets that count as fewer than
 * {@value #MIN_INDEPENDENT} independent ones, there are none.
 *
 * <p>The random numbers are seeded by {@value PlayoutBudget#SEED}, so that the same cells give the same result.
 */
final class BlockBootstrap {
    /** The maximum number of cells. */
    static final int CELLS = 2048;

    private static final int MIN_INDEPENDENT = 15;
    private static final double TAIL = LateCountInterval.TAIL;

    private final int[] cells;
    private final CorrelationTime time;
    private final int blockCells;

    /** @param cells number of late packets in each cell */
    BlockBootstrap(int[] cells) {
        this.cells = cells;
        this.time = CorrelationTime.of(Arrays.stream(cells).asDoubleStream().toArray());
        this.blockCells = Math.min(cells.length, time.block());
    }

    /** Returns the length of a block in cells. */
    int blockCells() {
        return blockCells;
    }

    /**
     * Returns {@value PlayoutBudget#REPLICATES} resampled numbers of late packets; none if there are too few blocks.
     */
    long[] draw() {
        int n = cells.length;
        int blocks = n / blockCells;
        double independent = independentLate();
        if (blocks < CorrelationTime.MIN_BLOCKS || independent < MIN_INDEPENDENT) {
            return new long[0];
        }
        long[] before = new long[2 * n + 1];
        for (int i = 0; i < 2 * n; i++) {
            before[i + 1] = before[i] + cells[i % n];
        }
        double wider = new TDistribution(null, Math.min(blocks, independent) - 1).inverseCumulativeProbability(1 - TAIL)
                / new NormalDistribution(null, 0, 1).inverseCumulativeProbability(1 - TAIL)
                / Math.sqrt(time.shownBy(blockCells));
        RandomGenerator random = new Well19937c(PlayoutBudget.SEED);
        long[] drawn = new long[PlayoutBudget.REPLICATES];
        for (int replicate = 0; replicate < PlayoutBudget.REPLICATES; replicate++) {
            long sum = 0;
            for (int filled = 0; filled < n; filled += blockCells) {
                int from = random.nextInt(n);
                sum += before[from + Math.min(blockCells, n - filled)] - before[from];
            }
            drawn[replicate] = Math.max(0, Math.round(before[n] + wider * (sum - before[n])));
        }
        return drawn;
    }

    /** Returns as how many independent ones the late packets count: their squared number divided by its variance. */
    private double independentLate() {
        double[] counts = Arrays.stream(cells).asDoubleStream().toArray();
        double late = StatUtils.sum(counts);
        double variance = cells.length * StatUtils.populationVariance(counts) * time.values();
        return variance == 0 ? Double.POSITIVE_INFINITY : late * late / variance;
    }
}
