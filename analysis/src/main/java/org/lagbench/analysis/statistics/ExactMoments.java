package org.lagbench.analysis.statistics;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * Number, least, greatest, mean and sample standard deviation of values, by their exact sums: of Σv and Σv² nothing is
 * rounded, so that the moments of parts add up to those of the whole in whatever order, and the mean and the variance
 * (n·Σv² − (Σv)²) / (n·(n − 1)) are rounded only in the end. Right for all values that a long holds. Allocates a few
 * numbers a block, nothing a value. Not thread-safe.
 */
final class ExactMoments implements BlockConsumer {
    /** Numbers of a block that are less than 2^25 have a sum of squares, or of products, that a long holds. */
    private static final int HALF_BITS = 25;

    private static final long HALF = 1L << HALF_BITS;

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
            throw new IllegalArgumentException("a block of " + count + " values");
        }
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            least = Math.min(least, values[i]);
            greatest = Math.max(greatest, values[i]);
        }
        minimum = Math.min(minimum, least);
        maximum = Math.max(maximum, greatest);
        long span = greatest - least;
        if (span >= 0 && span < HALF * HALF) {
            addNear(values, count, least, span);
        } else {
            for (int i = 0; i < count; i++) {
                add(values[i], 1);
            }
        }
    }

    /** Values in terms of their distance d to the least: Σv = Σd + n·least, Σv² = Σd² + 2·least·Σd + n·least². */
    private void addNear(long[] values, int count, long least, long span) {
        long distances = 0;
        for (int i = 0; i < count; i++) {
            distances += values[i] - least;
        }
        BigInteger base = BigInteger.valueOf(least);
        BigInteger baseTimesCount = base.multiply(BigInteger.valueOf(count));
        n += count;
        sum = sum.add(BigInteger.valueOf(distances)).add(baseTimesCount);
        sumOfSquares = sumOfSquares
                .add(span < HALF ? squares(values, count, least) : wideSquares(values, count, least))
                .add(base.multiply(BigInteger.valueOf(distances)).shiftLeft(1))
                .add(base.multiply(baseTimesCount));
    }

    private static BigInteger squares(long[] values, int count, long least) {
        long squares = 0;
        for (int i = 0; i < count; i++) {
            long distance = values[i] - least;
            squares += distance * distance;
        }
        return BigInteger.valueOf(squares);
    }

    /** With d = h·2^25 + l: Σd² = 2^50·Σh² + 2^26·Σhl + Σl². */
    private static BigInteger wideSquares(long[] values, int count, long least) {
        long highs = 0;
        long products = 0;
        long lows = 0;
        for (int i = 0; i < count; i++) {
            long distance = values[i] - least;
            long high = distance >>> HALF_BITS;
            long low = distance & (HALF - 1);
            highs += high * high;
            products += high * low;
            lows += low * low;
        }
        return BigInteger.valueOf(highs)
                .shiftLeft(2 * HALF_BITS)
                .add(BigInteger.valueOf(products).shiftLeft(HALF_BITS + 1))
                .add(BigInteger.valueOf(lows));
    }

    /** Takes a value so many times in or, if that is negative, out; the least and the greatest stay what they were. */
    void add(long value, long times) {
        BigInteger exact = BigInteger.valueOf(value);
        BigInteger product = exact.multiply(BigInteger.valueOf(times));
        n += times;
        sum = sum.add(product);
        sumOfSquares = sumOfSquares.add(product.multiply(exact));
    }

    /** Takes other values in. */
    void add(ExactMoments other) {
        n += other.n;
        sum = sum.add(other.sum);
        sumOfSquares = sumOfSquares.add(other.sumOfSquares);
        minimum = Math.min(minimum, other.minimum);
        maximum = Math.max(maximum, other.maximum);
    }

    /** These without others that are among them; of the least and the greatest nothing is known. */
    ExactMoments without(ExactMoments others) {
        ExactMoments rest = new ExactMoments();
        rest.n = n - others.n;
        rest.sum = sum.subtract(others.sum);
        rest.sumOfSquares = sumOfSquares.subtract(others.sumOfSquares);
        return rest;
    }

    long n() {
        return n;
    }

    /** The least value; meaningless if there is none. */
    long minimum() {
        return minimum;
    }

    /** The greatest value; meaningless if there is none. */
    long maximum() {
        return maximum;
    }

    /** The mean, NaN if there is no value. */
    double mean() {
        return n == 0 ? Double.NaN : quotient(sum, BigInteger.valueOf(n));
    }

    /** The standard deviation with n − 1, NaN of fewer than two values. */
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
