package org.lagbench.web;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Sums, extremes and counts of a track's records, in blocks of {@value #RECORDS} consecutive records. With them, a
 * column of many records is quick to compute. A block's figures are complete once all its records, or all their
 * forecasts, were added. One thread writes, any thread reads.
 */
final class TrackBlocks {
    /** Number of records in a block. */
    static final int RECORDS = 128;

    private static final int BLOCKS_PER_PART = 512;
    private static final int VALUES = 0;
    private static final int SUM = 1;
    private static final int LEAST = 2;
    private static final int GREATEST = 3;
    private static final int FORECASTS = 4;
    private static final int FORECAST_SUM = 5;
    private static final int INTERVALS = 6;
    private static final int HALF_WIDTH_SUM = 7;
    private static final int FORECASTER = 8;
    private static final int FIELDS = 9;

    private final List<double[]> parts = new CopyOnWriteArrayList<>();

    /** Adds the next record, whose value is NaN if it is missing. */
    void add(int index, double value) {
        if (index % (RECORDS * BLOCKS_PER_PART) == 0) {
            parts.add(new double[BLOCKS_PER_PART * FIELDS]);
        }
        if (!Double.isNaN(value)) {
            double[] part = part(index);
            int at = offset(index);
            boolean isFirst = part[at + VALUES] == 0;
            part[at + LEAST] = isFirst ? value : Math.min(part[at + LEAST], value);
            part[at + GREATEST] = isFirst ? value : Math.max(part[at + GREATEST], value);
            part[at + SUM] += value;
            part[at + VALUES]++;
        }
    }

    /** Adds the forecast of a record. */
    void addForecast(int index, double forecast, float halfWidth, int forecaster) {
        double[] part = part(index);
        int at = offset(index);
        part[at + FORECAST_SUM] += forecast;
        part[at + FORECASTS]++;
        part[at + FORECASTER] = forecaster;
        if (!Float.isNaN(halfWidth)) {
            part[at + HALF_WIDTH_SUM] += halfWidth;
            part[at + INTERVALS]++;
        }
    }

    /** Returns the number of values, without missing ones, in the block that contains this record. */
    int values(int index) {
        return (int) part(index)[offset(index) + VALUES];
    }

    double sum(int index) {
        return part(index)[offset(index) + SUM];
    }

    double least(int index) {
        return part(index)[offset(index) + LEAST];
    }

    double greatest(int index) {
        return part(index)[offset(index) + GREATEST];
    }

    int forecasts(int index) {
        return (int) part(index)[offset(index) + FORECASTS];
    }

    double forecastSum(int index) {
        return part(index)[offset(index) + FORECAST_SUM];
    }

    int intervals(int index) {
        return (int) part(index)[offset(index) + INTERVALS];
    }

    double halfWidthSum(int index) {
        return part(index)[offset(index) + HALF_WIDTH_SUM];
    }

    /** Returns the number of the forecaster that made the last forecast in the block. */
    int forecaster(int index) {
        return (int) part(index)[offset(index) + FORECASTER];
    }

    private double[] part(int index) {
        return parts.get(index / (RECORDS * BLOCKS_PER_PART));
    }

    private static int offset(int index) {
        return index / RECORDS % BLOCKS_PER_PART * FIELDS;
    }
}
