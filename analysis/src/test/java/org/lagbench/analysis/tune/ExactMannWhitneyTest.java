package org.lagbench.analysis.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the exact test of Mann and Whitney with counting all orders. */
class ExactMannWhitneyTest {
    @Test
    void agreesWithCountingAllOrders() {
        double[] a = {3.1, 4.5, 9.2, 7.7};
        double[] b = {1.0, 2.2, 5.3, 4.4, 0.5};

        assertThat(ExactMannWhitney.greater(a, b, 1)).isCloseTo(byCounting(a, b), within(1e-12));
        assertThat(ExactMannWhitney.greater(b, a, 1)).isCloseTo(byCounting(b, a), within(1e-12));
        assertThat(ExactMannWhitney.less(b, a, 1)).isEqualTo(ExactMannWhitney.greater(a, b, 1));
    }

    @Test
    void provesNothingWithFewRuns() {
        assertThat(ExactMannWhitney.fewest(1.0 / 20)).isEqualTo(3); // 3 + 3 values have 20 orders
        assertThat(ExactMannWhitney.fewest(0.049)).isEqualTo(4);
        assertThat(ExactMannWhitney.fewest(1.0 / 252)).isEqualTo(5);
        assertThat(ExactMannWhitney.shift(new double[] {1, 2}, new double[] {3, 4}, (x, y) -> x - y, 0.05)
                        .isBounded())
                .isFalse();
    }

    @Test
    void provesNothingByEqualValues() {
        double[] same = {5, 5, 5, 5, 5, 5};

        assertThat(ExactMannWhitney.greater(same, same, 1)).isEqualTo(1);
        assertThat(ExactMannWhitney.less(same, same, 1.1)).isLessThan(0.002);
    }

    @Test
    void coversTheTruthAtTheStatedConfidence() {
        Random random = new Random(5);
        int tries = 2_000;
        int held = 0;
        for (int i = 0; i < tries; i++) {
            double[] a = draw(random, 8, 3);
            double[] b = draw(random, 8, 1);
            held += ExactMannWhitney.shift(a, b, (x, y) -> x / y, 0.05).contains(3) ? 1 : 0;
        }
        assertThat(held).isBetween((int) (tries * 0.94), (int) (tries * 0.98));
    }

    private static double[] draw(Random random, int n, double scale) {
        return random.doubles(n).map(u -> scale * -Math.log(1 - u)).toArray();
    }

    /** Returns the share of all orders with at least as many pairs in which a is greater. */
    private static double byCounting(double[] a, double[] b) {
        double[] all = new double[a.length + b.length];
        System.arraycopy(a, 0, all, 0, a.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        Arrays.sort(all);
        int found = pairs(a, b);
        int orders = 0;
        int asMany = 0;
        for (int chosen = 0; chosen < 1 << all.length; chosen++) {
            if (Integer.bitCount(chosen) == a.length) {
                int u = 0;
                for (int i = 0; i < all.length; i++) {
                    for (int j = 0; j < i; j++) {
                        u += (chosen >> i & 1) == 1 && (chosen >> j & 1) == 0 ? 1 : 0;
                    }
                }
                orders++;
                asMany += u >= found ? 1 : 0;
            }
        }
        return (double) asMany / orders;
    }

    private static int pairs(double[] a, double[] b) {
        int pairs = 0;
        for (double x : a) {
            for (double y : b) {
                pairs += x > y ? 1 : 0;
            }
        }
        return pairs;
    }
}
