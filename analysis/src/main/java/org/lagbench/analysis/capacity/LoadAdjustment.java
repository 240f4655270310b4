package org.lagbench.analysis.capacity;

/**
 * The search for the maximum IP-layer capacity: each rate depends on the loss and the delay at the previous rate (RFC
 * 9097, section 8.1 and appendix A). The rates form a table: 0.5 Mb/s, then 1 Mb/s to 1 Gb/s in steps of 1 Mb/s, then
 * steps of 100 Mb/s. Not thread-safe.
 */
public final class LoadAdjustment {
    private static final double MIN_BITS_PER_S = 0.5e6;
    private static final double STEP_BITS_PER_S = 1e6;
    private static final double HIGH_SPEED_STEP_BITS_PER_S = 100e6;

    /** The row of 1 Gb/s. */
    private static final int HIGH_SPEED_ROW = 1_000;

    private static final int MAX_ROW = 1_090;

    private static final long SEQUENCE_ERRORS_MAX = 10;
    private static final double LOW_DELAY_NS = 30e6;
    private static final double UPPER_DELAY_NS = 90e6;
    private static final int SLOW_ADJUSTMENTS = 3;
    private static final int HIGH_SPEED_ROWS = 10;

    private int row;
    private int slowAdjustments;

    /** Begins with the row of a rate in bits per second, or with the next lower row. */
    public LoadAdjustment(double bitsPerS) {
        while (row < MAX_ROW && bitsPerS(row + 1) <= bitsPerS) {
            row++;
        }
    }

    /** Returns the rate of the next packets in bits per second. */
    public double bitsPerS() {
        return bitsPerS(row);
    }

    /**
     * Chooses the next rate.
     *
     * @param sequenceErrors number of lost, reordered and duplicated packets
     * @param delayRangeNs the excess of the one-way delay over its minimum, in ns
     */
    public void adjust(long sequenceErrors, double delayRangeNs) {
        boolean isFast = row < HIGH_SPEED_ROW && slowAdjustments < SLOW_ADJUSTMENTS;
        if (sequenceErrors <= SEQUENCE_ERRORS_MAX && delayRangeNs < LOW_DELAY_NS) {
            row = Math.min(MAX_ROW, row + (isFast ? HIGH_SPEED_ROWS : 1));
            slowAdjustments = isFast ? 0 : slowAdjustments;
        } else if (sequenceErrors > SEQUENCE_ERRORS_MAX || delayRangeNs > UPPER_DELAY_NS) {
            slowAdjustments++;
            boolean isFirstSlow = row < HIGH_SPEED_ROW && slowAdjustments == SLOW_ADJUSTMENTS;
            row = Math.max(0, row - (isFirstSlow ? 3 * HIGH_SPEED_ROWS : 1));
        }
    }

    private static double bitsPerS(int row) {
        if (row == 0) {
            return MIN_BITS_PER_S;
        }
        return row <= HIGH_SPEED_ROW
                ? row * STEP_BITS_PER_S
                : HIGH_SPEED_ROW * STEP_BITS_PER_S + (row - HIGH_SPEED_ROW) * HIGH_SPEED_STEP_BITS_PER_S;
    }
}
