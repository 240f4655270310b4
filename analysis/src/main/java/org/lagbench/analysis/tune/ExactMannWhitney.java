package org.lagbench.analysis.tune;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;

/**
 * The test of Mann and Whitney (1947) with its exact distribution, which Commons Math has only as an approximation that
 * is too bold for the handful of runs that a tune has. It asks nothing of the shape of the noise.
 *
 * <p>Under equal distributions of n and m values, the number U of pairs of which the first is greater has the
 * generating function of the Gaussian binomial coefficient, ∏ (1 − q^(m+i)) / (1 − q^i) for i from 1 to n, over all
 * (n+m choose n) orders. Equal values count as not greater, which is on the safe side.
 */
final class ExactMannWhitney {
    private ExactMannWhitney() {}

    /** The probability of at least so many pairs with a greater than factor times b, if they were alike. */
    static double greater(double[] a, double[] b, double factor) {
        long u = Arrays.stream(pairs(a, b, (x, y) -> x > factor * y ? 1 : 0))
                .filter(pair -> pair == 1)
                .count();
        return atLeast(a.length, b.length)[(int) u];
    }

    /** The probability of at least so many pairs with a less than factor times b, if they were alike. */
    static double less(double[] a, double[] b, double factor) {
        long u = Arrays.stream(pairs(a, b, (x, y) -> x < factor * y ? 1 : 0))
                .filter(pair -> pair == 1)
                .count();
        return atLeast(a.length, b.length)[(int) u];
    }

    /** The fewest values on each side with which the probability of the farthest order is at most that. */
    static int fewest(double level) {
        int n = 1;
        while (atLeast(n, n)[n * n] > level) {
            n++;
        }
        return n;
    }

    /**
     * By how much a is more than b: the median of all pairs' ratio or difference (Hodges and Lehmann 1963), and from
     * which to which of them the test would not reject it at that level. Its confidence is 1 − level or more.
     */
    static ConfidenceInterval shift(double[] a, double[] b, DoubleBinaryOperator by, double level) {
        double[] pairs = pairs(a, b, by);
        Arrays.sort(pairs);
        int n = pairs.length;
        if (n == 0) {
            return ConfidenceInterval.UNKNOWN;
        }
        double estimate = n % 2 == 1 ? pairs[n / 2] : (pairs[n / 2 - 1] + pairs[n / 2]) / 2;
        double[] atLeast = atLeast(a.length, b.length);
        int cut = 0;
        while (cut < (n + 1) / 2 && atLeast[n - cut] <= level / 2) {
            cut++;
        }
        return cut == 0
                ? new ConfidenceInterval(estimate, Double.NaN, Double.NaN)
                : new ConfidenceInterval(estimate, pairs[cut - 1], pairs[n - cut]);
    }

    private static double[] pairs(double[] a, double[] b, DoubleBinaryOperator by) {
        return Arrays.stream(a)
                .flatMap(x -> Arrays.stream(b).map(y -> by.applyAsDouble(x, y)))
                .toArray();
    }

    /** The probability of each U or a greater one. */
    private static double[] atLeast(int n, int m) {
        double[] atLeast = orders(n, m);
        for (int u = atLeast.length - 2; u >= 0; u--) {
            atLeast[u] += atLeast[u + 1];
        }
        double all = atLeast[0];
        for (int u = 0; u < atLeast.length; u++) {
            atLeast[u] /= all;
        }
        return atLeast;
    }

    /** How many orders of n and m values there are with each U. */
    private static double[] orders(int n, int m) {
        double[] counts = new double[n * m + 1];
        counts[0] = 1;
        for (int i = 1; i <= n; i++) {
            for (int u = n * m; u >= m + i; u--) {
                counts[u] -= counts[u - m - i];
            }
            for (int u = i; u <= n * m; u++) {
                counts[u] += counts[u - i];
            }
        }
        return counts;
    }
}
