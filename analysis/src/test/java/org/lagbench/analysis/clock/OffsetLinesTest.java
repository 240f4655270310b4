package org.lagbench.analysis.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.clock.OffsetEstimate.OffsetLine;

class OffsetLinesTest {
    @Test
    void findsTheMiddleLineOfFourPoints() {
        // the points are on two parallel lines, 20 µs apart, with a slope of 200 ppm
        OffsetLines lines = new OffsetLines(1_000, 0);
        lines.addForward(1_000, 30_000);
        lines.addForward(10_001_000, 32_000);
        lines.addBackward(1_000, 10_000);
        lines.addBackward(10_001_000, 12_000);
        OffsetLine middle = lines.middleBetween(lines);
        assertThat(lines.isEmpty()).isFalse();
        assertThat(middle.skewPpm()).isCloseTo(200, within(1e-6));
        assertThat(middle.offsetNs(1_000)).isEqualTo(20_000);
        assertThat(middle.offsetNs(10_001_000)).isEqualTo(22_000);
        assertThat(lines.distanceAt(middle, 1_000)).isCloseTo(10_000, within(3.0));
        assertThat(lines.minSkew()).isEqualTo(-500e-6);
        assertThat(lines.maxSkew()).isEqualTo(500e-6);
        lines.addBackward(5_001_000, 31_010);
        assertThat(lines.isEmpty())
                .as("it is above the line between the forward points")
                .isTrue();
    }

    @Test
    void agreesWithTryingAllPairsOfPoints() {
        Random random = new Random(4);
        for (int trial = 0; trial < 200; trial++) {
            int count = 1 + random.nextInt(30);
            double skew = (random.nextDouble() - 0.5) * 800e-6;
            long[][] forward = new long[count][];
            long[][] backward = new long[count][];
            OffsetLines lines = new OffsetLines(0, 0);
            for (int i = 0; i < count; i++) {
                long at = random.nextInt(40) * 25_000_000L;
                forward[i] = new long[] {at, Math.round(skew * at) + random.nextInt(50_000)};
                at = random.nextInt(40) * 25_000_000L;
                backward[i] = new long[] {at, Math.round(skew * at) - random.nextInt(50_000)};
                lines.addForward(forward[i][0], forward[i][1]);
                lines.addBackward(backward[i][0], backward[i][1]);
            }
            double widest = Double.NEGATIVE_INFINITY;
            double min = Double.POSITIVE_INFINITY;
            double max = Double.NEGATIVE_INFINITY;
            for (double slope : slopes(forward, backward)) {
                double room = room(forward, backward, slope);
                widest = Math.max(widest, room);
                if (room >= 0) {
                    min = Math.min(min, slope);
                    max = Math.max(max, slope);
                }
            }
            double found = lines.middleBetween(lines).skew();
            assertThat(room(forward, backward, found)).as("trial %d", trial).isCloseTo(widest, within(1e-3));
            assertThat(lines.minSkew()).as("trial %d", trial).isCloseTo(min, within(1e-7));
            assertThat(lines.maxSkew()).as("trial %d", trial).isCloseTo(max, within(1e-7));
        }
    }

    /**
     * Returns the slopes at which the distance between the lines is largest or 0: through two points, or the limits.
     */
    private static double[] slopes(long[][] forward, long[][] backward) {
        int count = forward.length;
        double[] slopes = new double[2 + 3 * count * count];
        slopes[0] = -500e-6;
        slopes[1] = 500e-6;
        int next = 2;
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < count; k++) {
                slopes[next++] = slope(forward[i], forward[k]);
                slopes[next++] = slope(backward[i], backward[k]);
                slopes[next++] = slope(forward[i], backward[k]);
            }
        }
        return slopes;
    }

    private static double slope(long[] a, long[] b) {
        double slope = a[0] == b[0] ? 0 : (double) (b[1] - a[1]) / (b[0] - a[0]);
        return Math.abs(slope) > 500e-6 ? 0 : slope;
    }

    private static double room(long[][] forward, long[][] backward, double slope) {
        double highest = Double.POSITIVE_INFINITY;
        double lowest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < forward.length; i++) {
            highest = Math.min(highest, forward[i][1] - slope * forward[i][0]);
            lowest = Math.max(lowest, backward[i][1] - slope * backward[i][0]);
        }
        return highest - lowest + 1e-6;
    }
}
