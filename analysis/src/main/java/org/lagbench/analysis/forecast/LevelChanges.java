package org.lagbench.analysis.forecast;

/**
 * Detects changes of level: {@value #RUN} consecutive values on the same side of the median of the newest
 * {@value #WINDOW} values before them, farther from it than three standard deviations. A spike is shorter, and a drift
 * moves the median along. The standard deviation is the interquartile range divided by 1.349, that of a normal
 * distribution. After a change only the values since then count.
 */
final class LevelChanges {
    private static final int RUN = 8;
    private static final int WINDOW = 31;

    private static final int MIN = 16;
    private static final double DEVIATIONS = 3;
    private static final double QUARTILES_PER_DEVIATION = 1.349;

    private final ValueWindow window = new ValueWindow(WINDOW);

    /** Length of the current run of values far above (positive) or far below (negative) the median. */
    private int run;

    private double median;
    private double reach;
    private long first;
    private long last;
    private long changes;

    /**
     * Learns a value.
     *
     * @param number the number of the value
     */
    void learn(double value, long number) {
        boolean isReady = run != 0 || window.count() >= MIN;
        if (run == 0 && isReady) {
            double[] quartiles = window.quantiles(WINDOW, .25, .5, .75);
            median = quartiles[1];
            reach = DEVIATIONS * (quartiles[2] - quartiles[0]) / QUARTILES_PER_DEVIATION;
        }
        int side = !isReady || Math.abs(value - median) <= reach ? 0 : value > median ? 1 : -1;
        if (side != 0 && side == Integer.signum(run)) {
            run += side;
        } else {
            run = side;
            first = number;
        }
        window.add(value);
        if (Math.abs(run) == RUN) {
            changes++;
            last = first;
            run = 0;
            window.keep(RUN);
        }
    }

    /** Returns the number of the first value after the last change; 0 if there was none. */
    long last() {
        return last;
    }

    long changes() {
        return changes;
    }
}
