package org.lagbench.analysis.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.comparison.Judgment;
import org.lagbench.analysis.comparison.SeriesRequirements;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.model.Limit;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;

class PairMetricsTest {
    /** A new metric needs nothing here. */
    @Test
    void hasEachMetricOfItsRuns(@TempDir Path directory) throws Exception {
        SessionFixture fixture = new SessionFixture(directory);
        fixture.run("0001-udp-1000-r1", "udp", 1000)
                .scheduled(1_000_000, 0, 1_000_000, 2_000_000, 3_000_000)
                .sent(1_000, 1_002_000, 2_003_000, 3_004_000)
                .received(new long[] {1, 1_090_000}, new long[] {0, 1_180_000}, new long[] {3, 3_100_000})
                .write();
        Session session = Session.open(fixture.path());
        PointSummary point =
                Summaries.of(session, SummaryOptions.DEFAULT).points().get(0);
        List<Metric<?>> judged = MetricRegistry.all().stream()
                .filter(metric -> metric.combination() != Combination.NOT_JUDGED)
                .filter(metric -> !Double.isNaN(point.value(metric)))
                .toList();

        Map<Metric<?>, Interval> values = PairMetrics.of(session, judged).values();

        assertThat(judged).extracting(Metric::id).contains("lag.median", "lag.q99", "loss", "packets.sent");
        assertThat(values.keySet()).containsExactlyInAnyOrderElementsOf(judged);
        assertThat(judged).allSatisfy(metric -> assertThat(values.get(metric).value())
                .as(metric.id())
                .isCloseTo(point.value(metric), within(1e-9)));
        assertThat(PairMetrics.of(session, List.of(MetricRegistry.of("lag.q99")))
                        .values())
                .containsOnlyKeys(MetricRegistry.of("lag.q99"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void spoiledRunDecidesNothing(boolean isSpoiled, @TempDir Path directory) throws Exception {
        SessionFixture fixture = new SessionFixture(directory);
        fixture.run("0001-udp-1000-r1", "udp", 1000)
                .sent(1_000, 1_002_000)
                .received(new long[] {0, 90_000}, new long[] {1, 1_092_000})
                .machine(SessionFixture.busy(isSpoiled ? 0.95 : 0.05))
                .write();
        List<Metric<?>> metrics = List.of(MainMetrics.LAG, MainMetrics.LOSS, MetricRegistry.of("lag.q99"));

        PairMetrics pair = PairMetrics.of(Session.open(fixture.path()), metrics);

        assertThat(pair.values()).containsOnlyKeys(metrics);
        assertThat(pair.undecided()).hasSameElementsAs(isSpoiled ? metrics : List.of());
        assertThat(pair.spoiledBy()).hasSize(isSpoiled ? 1 : 0);
        assertThat(pair.runs()).isEqualTo(1);
    }

    /** With no loss in n packets, the upper end is 1 − 0.025^(1/n). R: binom.test(5, 100)$conf.int. */
    @Test
    void boundsLossByClopperAndPearson() {
        Interval none = Interval.ofShare(0, 500);
        assertThat(none.value()).isZero();
        assertThat(none.low()).isZero();
        assertThat(none.high()).isCloseTo(1 - Math.pow(0.025, 1 / 500.0), within(1e-9));

        Interval some = Interval.ofShare(5, 100);
        assertThat(some.value()).isEqualTo(0.05);
        assertThat(some.low()).isCloseTo(0.01643, within(1e-5));
        assertThat(some.high()).isCloseTo(0.11283, within(1e-5));

        assertThat(Interval.ofShare(10, 10).high()).isEqualTo(1);
    }

    /** The lower end of 1 in n is 1 − 0.975^(1/n). */
    @ParameterizedTest
    @ValueSource(longs = {1_000, 1_000_000, 100_000_000, 100_000_000_000L})
    void boundsSmallLoss(long packets) {
        assertThat(Interval.ofShare(1, packets).low())
                .isCloseTo(-Math.expm1(Math.log(0.975) / (double) packets), withPercentage(0.01));
        assertThat(Interval.ofShare(0, packets).high())
                .isCloseTo(-Math.expm1(Math.log(0.025) / (double) packets), withPercentage(0.01));
    }

    /**
     * 2 % of 5,000 packets are lost, in bursts of 180 on average: more than half of the runs see none. The packets of
     * one run must not prove that it is at most 1 %.
     */
    @Test
    void oneRunWithoutRareBurstsProvesNothing() throws Exception {
        Random random = new Random(5);
        int met = 0;
        int none = 0;
        int runs = 500;
        for (int run = 0; run < runs; run++) {
            double[] lost = lost(random, 5_000, .02, 180);
            Interval loss = SeriesRequirements.lossOfRun(lost);
            none += loss.value() == 0 ? 1 : 0;
            met += Judgment.outcome(Limit.parse("loss <= 1 %"), .01, loss, 0) == Judgment.Outcome.MET ? 1 : 0;
        }
        assertThat(none).isBetween(runs / 2, runs * 2 / 3);
        assertThat(met).isLessThanOrEqualTo(runs / 20);
    }

    @Test
    void oneRunWithManyBurstsDecides() {
        Interval loss = SeriesRequirements.lossOfRun(lost(new Random(5), 50_000, .002, 3));
        assertThat(loss.hasEnds()).isTrue();
        assertThat(loss.low()).isBetween(.0005, .002);
        assertThat(loss.high()).isBetween(.002, .005);
        assertThat(SeriesRequirements.lossOfRun(new double[50_000]).hasEnds()).isFalse();
    }

    /** Returns 100 for each packet lost, in bursts of a geometric length. */
    private static double[] lost(Random random, int packets, double share, double burst) {
        double[] lost = new double[packets];
        boolean isBurst = random.nextDouble() < share;
        for (int packet = 0; packet < packets; packet++) {
            lost[packet] = isBurst ? 100 : 0;
            isBurst = isBurst ? random.nextDouble() >= 1 / burst : random.nextDouble() < share / (burst * (1 - share));
        }
        return lost;
    }
}
