package org.lagbench.analysis.tune;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;

/**
 * The test of Mann and Whitney (1947) with its exact distribution. Commons Math has only the normal approximation,
 * which is too optimistic for the few runs of a tune. It assumes nothing about the distribution of the noise.
 *
 * <p>U is the number of pairs of n and m values whose first value is greater. If their distributions are equal, its
 * generating function over all (n+m choose n) orders is the Gaussian binomial coefficient, ∏ (1 − q^(m+i)) / (1 − q^i)
 * for i from 1 to n. Equal values count as not greater, which is conservative.
 */
final class ExactMannWhitney {
    private ExactMannWhitney() {}

    /** Returns the p-value of the number of pairs with a > factor · b, if their distributions are equal. */
    static double greater(double[] a, double[] b, double factor) {
        return probability(a, b, (x, y) -> x > factor * y ? 1 : 0);
    }

    /** Returns the p-value of the number of pairs with a < factor · b, if their distributions are equal. */
    static double less(double[] a, double[] b, double factor) {
        return probability(a, b, (x, y) -> x < factor * y ? 1 : 0);
    }

    private static double probability(double[] a, double[] b, DoubleBinaryOperator indicator) {
        return atLeast(a.length, b.length)[
                (int) Arrays.stream(pairs(a, b, indicator)).sum()];
    }

    /** Returns the smallest n at which the most extreme order of two samples of n values is no likelier than this. */
    static int fewest(double level) {
        int n = 1;
        while (atLeast(n, n)[n * n] > level) {
            n++;
        }
        return n;
    }

    /**
     * Returns the shift of a against b: the median ratio or difference of all pairs (Hodges and Lehmann 1963), and the
     * interval of those that the test does not reject. Its confidence is at least 1 − level.
     */
    static ConfidenceInterval shift(double[] a, double[] b, DoubleBinaryOperator by, double level) {
        double[] pairs = pairs(a, b, by);
        Arrays.sort(pairs);
        int n = pairs.length;
        if (n == 0) {
            return new ConfidenceInterval(Double.NaN, Double.NaN, Double.NaN);
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

    /** Returns the probability that U is at least each value. */
    private static double[] atLeast(int n, int m) {
        double[] atLeast = orders(n, m);
        for (int u = atLeast.length - 2; u >= 0; u--) {
            atLeast[u] += atLeast[u + 1];
        }
        double all = atLeast[0];
        return Arrays.stream(atLeast).map(orders -> orders / all).toArray();
    }

    /** Returns the number of orders of n and m values for each U. */
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
