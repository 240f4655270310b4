package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;

class OffsetIntervalTest {
    @Test
    void boundsOffsetByOneExchange() {
        // The true offset is 500 ns: 30 ns forward, 5 ns to answer, 10 ns back.
        OffsetInterval interval = OffsetInterval.of(List.of(new TwoWayExchange(1000, 1530, 1535, 1045)), 0);

        assertThat(interval).isEqualTo(new OffsetInterval(1022, 1532, 490, 530, 40, 1));
        assertThat(interval.isEmpty()).isFalse();
        assertThat(interval.largestNs()).isEqualTo(530);
    }

    @Test
    void intersectsExchangesOfBurst() {
        OffsetInterval interval = OffsetInterval.of(
                List.of(
                        new TwoWayExchange(0, 530, 530, 40), // 490 to 530
                        new TwoWayExchange(100, 601, 601, 131), // 470 to 501
                        new TwoWayExchange(200, 790, 790, 292)), // 498 to 590
                0);

        assertThat(interval.lowerNs()).isEqualTo(498);
        assertThat(interval.upperNs()).isEqualTo(501);
        assertThat(interval.smallestRoundTripNs()).isEqualTo(31);
        assertThat(interval.exchanges()).isEqualTo(3);
    }

    @Test
    void widensExchangesByDriftFromMiddle() {
        // The offset at 1,000,000 ns. The exchanges reach 1 ms to both sides of it, so 500 ppm of drift add 500 ns.
        OffsetInterval interval = OffsetInterval.of(
                List.of(
                        new TwoWayExchange(0, 700, 700, 1_000),
                        new TwoWayExchange(1_999_000, 1_999_600, 1_999_600, 2_000_000)),
                500);

        assertThat(interval.senderAtNs()).isEqualTo(1_000_000);
        assertThat(interval.lowerNs()).isEqualTo(-300 - 500);
        assertThat(interval.upperNs()).isEqualTo(600 + 500);
    }

    @Test
    void isEmptyAfterClockStep() {
        OffsetInterval interval = OffsetInterval.of(
                List.of(new TwoWayExchange(0, 530, 530, 40), new TwoWayExchange(100, 1_000_620, 1_000_620, 140)), 500);

        assertThat(interval.isEmpty()).isTrue();
    }

    @Test
    void widensIntervalAtAnotherTime() {
        OffsetInterval interval = new OffsetInterval(1_000_000_000, 1_000_000_500, 400, 600, 200, 4);

        assertThat(interval.at(1_002_000_000, 500))
                .isEqualTo(new OffsetInterval(1_002_000_000, 1_002_000_500, -600, 1_600, 200, 4));
        assertThat(interval.at(998_000_000, 500))
                .isEqualTo(new OffsetInterval(998_000_000, 998_000_500, -600, 1_600, 200, 4));
    }

    @Test
    void intersectsIntervalsAtTheTimeOfTheFirst() {
        OffsetInterval now = new OffsetInterval(1_000_000_000, 1_000_000_500, 400, 900, 500, 4);
        OffsetInterval later = new OffsetInterval(1_001_000_000, 1_001_000_500, 450, 1_000, 300, 2);

        assertThat(now.intersect(later, 100))
                .isEqualTo(new OffsetInterval(1_000_000_000, 1_000_000_500, 400, 900, 300, 6));
        assertThat(now.intersect(later, 10))
                .isEqualTo(new OffsetInterval(1_000_000_000, 1_000_000_500, 440, 900, 300, 6));
    }

    /** The true offset is inside the interval, whatever the offset, the allowed drift and the delays. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void containsTrueOffset(long seed) {
        Random random = new Random(seed);
        long narrowest = Long.MAX_VALUE;
        for (int i = 0; i < 20_000; i++) {
            int driftPpm = random.nextInt(501);
            TwoClocks clocks = new TwoClocks(random, driftPpm);
            List<OffsetInterval> bursts = new ArrayList<>();
            for (int burst = 0; burst < 3; burst++) {
                bursts.add(OffsetInterval.of(clocks.burst(1 + random.nextInt(8)), driftPpm));
                clocks.pass(random.nextInt(1_000_000_000));
            }
            for (OffsetInterval burst : bursts) {
                long truth = clocks.trueOffsetNs(burst.senderAtNs());
                assertThat(truth).isBetween(burst.lowerNs(), burst.upperNs());
                OffsetInterval all = bursts.get(0)
                        .at(burst.senderAtNs(), driftPpm)
                        .intersect(bursts.get(1), driftPpm)
                        .intersect(bursts.get(2), driftPpm);
                assertThat(truth).isBetween(all.lowerNs(), all.upperNs());
                narrowest = Math.min(narrowest, burst.upperNs() - burst.lowerNs());
            }
        }
        assertThat(narrowest).as("the property is not that intervals are wide").isLessThan(20_000L);
    }

    /** Two clocks and a path between them, simulated. The sender's clock is the true time. */
    static final class TwoClocks {
        private final Random random;
        private final long offsetNs;
        private final double rate;
        private final double meanThereNs;
        private final double meanBackNs;
        private long nowNs = 1_700_000_000_000_000_000L;
        private final long zeroNs = nowNs;

        TwoClocks(Random random, int driftPpm) {
            this.random = random;
            offsetNs = (long) (random.nextGaussian() * Math.pow(10, random.nextInt(12)));
            rate = driftPpm * 1e-6 * (2 * random.nextDouble() - 1);
            meanThereNs = Math.pow(10, 3 + 5 * random.nextDouble());
            meanBackNs = Math.pow(10, 3 + 5 * random.nextDouble());
        }

        void pass(long ns) {
            nowNs += ns;
        }

        /** Returns the receiver's clock minus the sender's at a reading of the sender's clock. */
        long trueOffsetNs(long senderNs) {
            return offsetNs + Math.round((senderNs - zeroNs) * rate);
        }

        List<TwoWayExchange> burst(int exchanges) {
            List<TwoWayExchange> burst = new ArrayList<>();
            for (int i = 0; i < exchanges; i++) {
                long sent = nowNs;
                pass(delayNs(meanThereNs));
                long received = nowNs + trueOffsetNs(nowNs);
                pass(random.nextInt(50_000));
                long replied = nowNs + trueOffsetNs(nowNs);
                pass(delayNs(meanBackNs));
                burst.add(new TwoWayExchange(sent, received, replied, nowNs));
                pass(random.nextInt(10_000));
            }
            return burst;
        }

        private long delayNs(double meanNs) {
            return (long) (-meanNs * Math.log(1 - random.nextDouble()));
        }
    }
}
