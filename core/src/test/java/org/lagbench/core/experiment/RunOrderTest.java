package org.lagbench.core.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The orders were worked out by another implementation of the documented algorithm, in Python. */
class RunOrderTest {
    @Test
    void followsFromTheSeed() {
        RunOrder order = new RunOrder(2001);
        assertThat(order.next(9)).containsExactly(6, 2, 7, 0, 5, 1, 3, 4, 8);
        assertThat(order.next(9)).containsExactly(2, 1, 3, 8, 5, 7, 4, 6, 0);
        assertThat(order.next(9)).containsExactly(8, 7, 0, 1, 4, 6, 3, 5, 2);

        assertThat(new RunOrder(0).next(5)).containsExactly(2, 3, 1, 4, 0);
        assertThat(new RunOrder(Long.MAX_VALUE).next(5)).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void shufflesUniformly() {
        int[][] counts = new int[6][6];
        RunOrder order = new RunOrder(7);
        for (int repeat = 0; repeat < 6_000; repeat++) {
            int[] points = order.next(6);
            for (int place = 0; place < points.length; place++) {
                counts[place][points[place]]++;
            }
        }
        // 1,000 expected each, standard deviation 29; the seed is fixed, so this does not vary.
        assertThat(Arrays.stream(counts).flatMapToInt(Arrays::stream)).allMatch(count -> count > 880 && count < 1_120);
    }

    @Test
    void drawsSeedsThatAnExperimentAccepts() {
        for (int i = 0; i < 100; i++) {
            assertThat(RunOrder.drawSeed()).isBetween(0L, 0xFFFF_FFFFL);
        }
    }
}
