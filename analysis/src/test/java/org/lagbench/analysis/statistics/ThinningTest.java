package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.statistics.Thinning.Curve;

class ThinningTest {
    @Test
    void keepsAllPointsIfFew() {
        Thinning thinning = new Thinning(0, 9, 3);
        thinning.accept(0, 5);
        thinning.accept(4, -1);
        thinning.accept(9, 5);
        Curve curve = thinning.curve();
        assertThat(points(curve)).containsExactly(List.of(0L, 5L), List.of(4L, -1L), List.of(9L, 5L));
        assertThat(curve.thinnedFrom()).isEqualTo(3);
    }

    @Test
    void keepsFirstMinMaxAndLastOfEachColumn() {
        // columns 0–4 and 5–9
        Thinning thinning = new Thinning(0, 9, 2);
        long[] y = {3, 9, 4, 1, 2, 7, 7, 7, 7, 7};
        for (int x = 0; x < y.length; x++) {
            thinning.accept(x, y[x]);
        }
        assertThat(points(thinning.curve()))
                .containsExactly(
                        List.of(0L, 3L),
                        List.of(1L, 9L),
                        List.of(3L, 1L),
                        List.of(4L, 2L),
                        List.of(5L, 7L),
                        List.of(9L, 7L));
        assertThat(thinning.curve().thinnedFrom()).isEqualTo(10);
    }

    @Test
    void keepsPacketOfEachPoint() {
        Thinning thinning = new Thinning(0, 9, 1);
        long[] y = {3, 9, 4, 1, 2};
        for (int x = 0; x < y.length; x++) {
            thinning.accept(100 + x, x, y[x]);
        }
        Curve curve = thinning.curve();
        assertThat(LongStream.range(0, curve.size()).map(i -> curve.packet((int) i)))
                .containsExactly(100L, 101L, 103L, 104L);
    }

    @Test
    void skipsPointsOutsideTheRange() {
        Thinning thinning = new Thinning(10, 20, 5);
        thinning.accept(9, 1_000);
        thinning.accept(21, -1_000);
        assertThat(thinning.curve().size()).isZero();
        assertThat(thinning.curve().thinnedFrom()).isZero();
    }

    @Test
    void acceptsPointsInAnyOrder() {
        Thinning thinning = new Thinning(0, 99, 1);
        thinning.accept(50, 5);
        thinning.accept(99, 6);
        thinning.accept(0, 4);
        thinning.accept(70, 9);
        assertThat(points(thinning.curve())).containsExactly(List.of(0L, 4L), List.of(70L, 9L), List.of(99L, 6L));
    }

    @Test
    void coversTheSamePixelsAsAllPoints() {
        int values = 3_000_000;
        int columns = 500;
        int rows = 300;
        Random random = new Random(11);
        Thinning thinning = new Thinning(0, values - 1, columns);
        Set<Integer> ofAll = new HashSet<>();
        long previous = 0;
        for (int x = 0; x < values; x++) {
            long y = x == 1_234_567 ? 299 : 100 + random.nextInt(x % 1_000 == 0 ? 150 : 20);
            thinning.accept(x, y);
            paint(ofAll, x == 0 ? y : previous, y, (int) ((long) x * columns / values), rows);
            previous = y;
        }
        Curve curve = thinning.curve();
        assertThat(curve.size()).isLessThanOrEqualTo(4 * columns);
        assertThat(curve.thinnedFrom()).isEqualTo(values);
        assertThat(points(curve)).contains(List.of(1_234_567L, 299L));
        assertThat(curve.maxY()).isEqualTo(299);
        assertThat(curve.minY()).isEqualTo(100);
        Set<Integer> ofThinned = new HashSet<>();
        for (int i = 0; i < curve.size(); i++) {
            paint(ofThinned, curve.y(Math.max(0, i - 1)), curve.y(i), (int) (curve.x(i) * columns / values), rows);
        }
        assertThat(ofThinned).isEqualTo(ofAll);
    }

    /** Adds the pixels that a line to a point covers in the column of that point. */
    private static void paint(Set<Integer> pixels, long fromY, long toY, int column, int rows) {
        for (long y = Math.min(fromY, toY); y <= Math.max(fromY, toY); y++) {
            pixels.add((int) (column * (long) rows + y));
        }
    }

    private static List<List<Long>> points(Curve curve) {
        List<List<Long>> points = new ArrayList<>();
        for (int i = 0; i < curve.size(); i++) {
            points.add(List.of(curve.x(i), curve.y(i)));
        }
        return points;
    }
}
