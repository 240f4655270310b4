package org.lagbench.analysis.statistics;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import org.lagbench.analysis.statistics.LongBlocks.BlockConsumer;

/**
 * Count, minimum, maximum, mean and sample standard deviation by exact sums: Σv and Σv² are never rounded, so that the
 * moments of parts add up to those of the whole in any order. Only the mean and the variance (n·Σv² − (Σv)²) / (n·(n −
 * 1)) are rounded. Correct for all long values. Allocates per block, not per value. Not thread-safe.
 */
final class ExactMoments implements BlockConsumer {
    /** Values that are this near to each other have a sum of distances that fits a long, in a block. */
    private static final long NEAR = 1L << 50;

    /** The square of a smaller distance fits a long. */
    private static final long SHORT = 1L << 31;

    private long n;
    private long minimum = Long.MAX_VALUE;
    private long maximum = Long.MIN_VALUE;
    private BigInteger sum = BigInteger.ZERO;
    private BigInteger sumOfSquares = BigInteger.ZERO;

    @Override
    public void accept(long[] values, int count) {
        if (count == 0) {
            return;
        }
        if (count > LongBlocks.BLOCK) {
            throw new IllegalArgumentException(count + " values are more than a block may have, " + LongBlocks.BLOCK);
        }
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
        }
        minimum = Math.min(minimum, min);
        maximum = Math.max(maximum, max);
        long span = max - min;
        if (span >= 0 && span < NEAR) {
            addNear(values, count, min, span);
        } else {
            for (int i = 0; i < count; i++) {
                add(values[i], 1);
            }
        }
    }

    /**
     * Adds values by their distances d from the smallest: Σv = Σd + n·smallest, Σv² = Σd² + 2·smallest·Σd +
     * n·smallest².
     */
    private void addNear(long[] values, int count, long min, long span) {
        long distances = 0;
        long high = 0; // Σd² in 128 bits
        long low = 0;
        for (int i = 0; i < count; i++) {
            long distance = values[i] - min;
            long square = distance * distance;
            distances += distance;
            low += square;
            high += Long.compareUnsigned(low, square) < 0 ? 1 : 0;
            high += span < SHORT ? 0 : Math.multiplyHigh(distance, distance);
        }
        BigInteger base = BigInteger.valueOf(min);
        BigInteger baseTimesCount = base.multiply(BigInteger.valueOf(count));
        n += count;
        sum = sum.add(BigInteger.valueOf(distances)).add(baseTimesCount);
        sumOfSquares = sumOfSquares
                .add(BigInteger.valueOf(high).shiftLeft(Long.SIZE))
                .add(new BigInteger(Long.toUnsignedString(low)))
                .add(base.multiply(BigInteger.valueOf(distances)).shiftLeft(1))
                .add(base.multiply(baseTimesCount));
    }

    /**
     * Adds a value a number of times, or removes it if the number is negative. Leaves the minimum and the maximum
     * unchanged.
     */
    void add(long value, long times) {
        BigInteger exact = BigInteger.valueOf(value);
        BigInteger product = exact.multiply(BigInteger.valueOf(times));
        n += times;
        sum = sum.add(product);
        sumOfSquares = sumOfSquares.add(product.multiply(exact));
    }

    void add(ExactMoments other) {
        n += other.n;
        sum = sum.add(other.sum);
        sumOfSquares = sumOfSquares.add(other.sumOfSquares);
        minimum = Math.min(minimum, other.minimum);
        maximum = Math.max(maximum, other.maximum);
    }

    /** Returns these moments without a subset of their values. The minimum and maximum of the result are undefined. */
    ExactMoments without(ExactMoments subset) {
        ExactMoments rest = new ExactMoments();
        rest.n = n - subset.n;
        rest.sum = sum.subtract(subset.sum);
        rest.sumOfSquares = sumOfSquares.subtract(subset.sumOfSquares);
        return rest;
    }

    long n() {
        return n;
    }

    /** Returns the smallest value; undefined if there is none. */
    long minimum() {
        return minimum;
    }

    /** Returns the largest value; undefined if there is none. */
    long maximum() {
        return maximum;
    }

    /** Returns the mean, NaN if there is no value. */
    double mean() {
        return n == 0 ? Double.NaN : quotient(sum, BigInteger.valueOf(n));
    }

    /** Returns the sample standard deviation (n − 1), NaN if there are fewer than two values. */
    double standardDeviation() {
        if (n < 2) {
            return Double.NaN;
        }
        BigInteger count = BigInteger.valueOf(n);
        BigInteger numerator = count.multiply(sumOfSquares).subtract(sum.multiply(sum));
        return Math.sqrt(quotient(numerator, count.multiply(BigInteger.valueOf(n - 1))));
    }

    private static double quotient(BigInteger numerator, BigInteger denominator) {
        return new BigDecimal(numerator)
                .divide(new BigDecimal(denominator), MathContext.DECIMAL128)
                .doubleValue();
    }
}
