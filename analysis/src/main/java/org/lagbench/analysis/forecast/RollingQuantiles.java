package org.lagbench.analysis.forecast;

import java.util.stream.DoubleStream;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

/**
 * Quantiles of the newest {@value #WINDOW} values, by estimator R-7.
 *
 * @param values number of values from which they were computed
 */
public record RollingQuantiles(int values, double q05, double q25, double median, double q75, double q95) {
    static final int WINDOW = 101;

    /** Returns the quantiles of the newest values of a series. */
    static RollingQuantiles of(ValueWindow recent) {
        double[] values = recent.newest(WINDOW);
        Percentile percentile = new Percentile().withEstimationType(EstimationType.R_7);
        percentile.setData(values);
        double[] quantiles = DoubleStream.of(5, 25, 50, 75, 95)
                .map(percent -> values.length == 0 ? Double.NaN : percentile.evaluate(percent))
                .toArray();
        return new RollingQuantiles(
                values.length, quantiles[0], quantiles[1], quantiles[2], quantiles[3], quantiles[4]);
    }
}
