package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DistributionTest {
    @Test
    void keepsAllValuesIfFew() throws Exception {
        Distribution distribution = of(30, 10, 20, 20);
        assertThat(distribution.n()).isEqualTo(4);
        assertThat(distribution.size()).isEqualTo(4);
        assertThat(distribution.valueNs(0)).isEqualTo(10);
        assertThat(distribution.valueNs(3)).isEqualTo(30);
        assertThat(distribution.atOrBelow(0)).isEqualTo(0.25);
        assertThat(distribution.atOrAbove(0)).isEqualTo(1);
        assertThat(distribution.atOrBelow(3)).isEqualTo(1);
        assertThat(distribution.atOrAbove(3)).isEqualTo(0.25);
    }

    @Test
    void isEmptyForNoValues() throws Exception {
        assertThat(of().size()).isZero();
        assertThat(of().n()).isZero();
    }

    @Test
    void reachesBothExtremesAndAgreesWithSorting() throws Exception {
        Random random = new Random(3);
        long[] values = LongStream.generate(() -> (long) Math.exp(10 + 3 * random.nextGaussian()) - 20_000)
                .limit(200_000)
                .toArray();
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        Distribution distribution = of(values);
        assertThat(distribution.size()).isBetween(500, 1_000);
        int n = values.length;
        double leap = 0;
        for (int i = 0; i < distribution.size(); i++) {
            int index = (int) Math.round(distribution.atOrBelow(i) * n) - 1;
            assertThat(distribution.valueNs(i)).isEqualTo(sorted[index]);
            assertThat(distribution.atOrAbove(i)).isEqualTo((n - index) / (double) n);
            if (i > 0) {
                leap = Math.max(leap, distribution.atOrAbove(i - 1) / distribution.atOrAbove(i));
            }
        }
        assertThat(distribution.atOrAbove(distribution.size() - 1)).isEqualTo(1.0 / n);
        assertThat(distribution.atOrBelow(0)).isEqualTo(1.0 / n);
        // the largest factor, 2, is between the last two values: from 2/n to 1/n
        assertThat(leap).isLessThanOrEqualTo(2);
    }

    private static Distribution of(long... values) throws Exception {
        return Distribution.of(consumer -> LongStream.of(values).forEach(consumer));
    }
}
