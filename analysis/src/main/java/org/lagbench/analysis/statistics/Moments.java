package org.lagbench.analysis.statistics;

import java.util.function.LongConsumer;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.commons.math3.stat.descriptive.moment.SecondMoment;
import org.apache.commons.math3.stat.descriptive.moment.Variance;

/**
 * Number, least, greatest, mean and sample standard deviation of values as they pass, by Commons Math's updating
 * formula (Welford, West), which loses no precision however many there are. Exact for values up to 2⁵³ (104 days in
 * ns). Allocates nothing a value.
 */
final class Moments implements LongConsumer {
    private final SecondMoment moment = new SecondMoment();
    private long minimum = Long.MAX_VALUE;
    private long maximum = Long.MIN_VALUE;

    @Override
    public void accept(long value) {
        moment.increment((double) value);
        minimum = Math.min(minimum, value);
        maximum = Math.max(maximum, value);
    }

    long n() {
        return moment.getN();
    }

    /** The least value, NaN if there is none. */
    double minimum() {
        return n() == 0 ? Double.NaN : (double) minimum;
    }

    /** The greatest value, NaN if there is none. */
    double maximum() {
        return n() == 0 ? Double.NaN : (double) maximum;
    }

    /** The mean, NaN if there is no value. */
    double mean() {
        return new Mean(moment).getResult();
    }

    /** The standard deviation with n − 1, NaN of fewer than two values. */
    double standardDeviation() {
        return n() < 2 ? Double.NaN : Math.sqrt(new Variance(moment).getResult());
    }
}
