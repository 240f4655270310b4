package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The orders were worked out by another implementation of the documented algorithm, in Python. */
class RunOrderTest {
    @Test
    void dependsOnlyOnTheSeed() {
        RunOrder order = new RunOrder(2001);
        assertThat(order.next(9)).containsExactly(6, 2, 7, 0, 5, 1, 3, 4, 8);
        assertThat(order.next(9)).containsExactly(2, 1, 3, 8, 5, 7, 4, 6, 0);
        assertThat(order.next(9)).containsExactly(8, 7, 0, 1, 4, 6, 3, 5, 2);

        assertThat(new RunOrder(0).next(5)).containsExactly(2, 3, 1, 4, 0);
        assertThat(new RunOrder(Long.MAX_VALUE).next(5)).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void keepsPointsOfAPairTogether() {
        // points 0 and 3 are a pair, 1 and 4 another, 2 is alone
        int[] pairs = {0, 1, 2, 0, 1};
        RunOrder order = new RunOrder(2001);
        assertThat(order.nextOfPairs(pairs)).containsExactly(1, 4, 0, 3, 2);
        assertThat(order.nextOfPairs(pairs)).containsExactly(2, 0, 3, 1, 4);

        int firstOfPair = 0;
        int pairFirst = 0;
        for (int repeat = 0; repeat < 2_000; repeat++) {
            List<Integer> points =
                    Arrays.stream(order.nextOfPairs(pairs)).boxed().toList();
            assertThat(Math.abs(points.indexOf(0) - points.indexOf(3))).isEqualTo(1);
            assertThat(Math.abs(points.indexOf(1) - points.indexOf(4))).isEqualTo(1);
            firstOfPair += points.indexOf(0) < points.indexOf(3) ? 1 : 0;
            pairFirst += points.indexOf(2) == 0 ? 1 : 0;
        }
        assertThat(firstOfPair).isBetween(900, 1_100);
        assertThat(pairFirst).isBetween(567, 767);
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
        // Each count is expected to be 1,000 ± 29 (standard deviation); the seed is fixed, so this does not vary.
        assertThat(Arrays.stream(counts).flatMapToInt(Arrays::stream)).allMatch(count -> count > 880 && count < 1_120);
    }

    @Test
    void drawsSeedsThatAnExperimentAccepts() {
        for (int i = 0; i < 100; i++) {
            assertThat(RunOrder.drawSeed()).isBetween(0L, 0xFFFF_FFFFL);
        }
    }
}
