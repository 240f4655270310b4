package org.lagbench.analysis.forecast;

import java.util.Arrays;

/**
 * A series in memory.
 *
 * @param name where it is from
 * @param times one for each value, never decreasing
 * @param values NaN where missing
 */
@SuppressWarnings("ArrayRecordComponent") // millions of numbers, never compared
public record TimedSeries(String name, double[] times, double[] values) {
    /** Collects a series. */
    static final class Builder implements SeriesConsumer {
        private static final int START = 1024;

        private final String name;
        private double[] times = new double[START];
        private double[] values = new double[START];
        private int count;

        Builder(String name) {
            this.name = name;
        }

        @Override
        public void accept(double time, double value) {
            if (count == values.length) {
                times = Arrays.copyOf(times, 2 * count);
                values = Arrays.copyOf(values, 2 * count);
            }
            times[count] = time;
            values[count++] = value;
        }

        TimedSeries build() {
            return new TimedSeries(name, Arrays.copyOf(times, count), Arrays.copyOf(values, count));
        }
    }

    /** Returns the number of values, missing ones included. */
    public int size() {
        return values.length;
    }
}
