package org.lagbench.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.comparison.Judgment.Outcome;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.media.MediaGroups;
import org.lagbench.analysis.media.MediaMetrics;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroups;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;

/** Twenty runs of which one is bad, for each id: the verdict is about all runs as the id declares. */
@Tag("one-java")
class CombinationTest {
    private static final int RUNS = 20;
    private static final int WHOLE = 1_000;

    /**
     * What good runs and a bad one show, and a limit that good runs keep.
     *
     * @param withBad whether the value of all runs keeps it, by definition
     */
    private record Planted(double good, double bad, double limit, boolean withBad) {
        static Planted of(Metric<?> metric) {
            boolean isLower = metric.smallerIsBetter();
            return switch (metric.combination()) {
                case POOLED ->
                    isLower
                            // 2.5 of all
                            ? new Planted(0, 50, 1, false)
                            // 95.5
                            : new Planted(100, 10, 99, false);
                case SUM -> isLower ? new Planted(0, 50, 10, false) : new Planted(WHOLE, 0, WHOLE * RUNS - 1, false);
                case MIN -> isLower ? new Planted(1, 50, 10, true) : new Planted(50, 1, 10, false);
                case MAX -> isLower ? new Planted(1, 50, 10, false) : new Planted(50, 1, 10, true);
                case MEDIAN -> isLower ? new Planted(1, 50, 10, true) : new Planted(50, 1, 10, true);
                case NOT_JUDGED -> throw new IllegalArgumentException(metric.id());
            };
        }
    }

    /** Returns the metrics that points have; others are of the pairs of a matrix, or of a monitor's host. */
    static Stream<Metric<?>> judged() {
        return MetricRegistry.all().stream()
                .filter(MetricGroups::isOfPoints)
                .filter(metric -> metric.combination() != Combination.NOT_JUDGED)
                .map(metric -> MetricRegistry.of(metric.id().replace("*", "x")));
    }

    @ParameterizedTest
    @MethodSource("judged")
    void oneBadRunCounts(Metric<?> metric) throws Exception {
        Planted planted = Planted.of(metric);
        assertThat(verdict(metric, planted, 0, Judgment.Basis.VALUE)).isEqualTo(Outcome.MET);
        assertThat(verdict(metric, planted, 0, Judgment.Basis.INTERVAL)).isEqualTo(Outcome.MET);

        Outcome byValue = verdict(metric, planted, 1, Judgment.Basis.VALUE);
        Outcome byInterval = verdict(metric, planted, 1, Judgment.Basis.INTERVAL);
        assertThat(byValue).isEqualTo(planted.withBad ? Outcome.MET : Outcome.MISSED);
        if (metric.combination() == Combination.POOLED) {
            assertThat(byInterval).isNotEqualTo(Outcome.MET);
        } else {
            assertThat(byInterval).isEqualTo(byValue);
        }
        assertThat(verdict(metric, planted, RUNS, Judgment.Basis.INTERVAL)).isEqualTo(Outcome.MISSED);
    }

    /** Of two sessions, of which one has bad runs, all runs of each decide too. */
    @ParameterizedTest
    @MethodSource("judged")
    void oneBadRunCountsInComparisons(Metric<?> metric) throws Exception {
        Planted planted = Planted.of(metric);
        Combination kind = metric.combination();
        boolean isUndone = kind == Combination.MEDIAN || (planted.withBad && kind.isOfRunsAlone());
        Sides one = compare(metric, planted, 1);
        assertThat(one.ratio().compared())
                .isEqualTo(point(metric, planted, 1).estimate(metric).interval().value(), within(1e-9));
        if (isUndone) {
            assertThat(verdict(metric, one)).isEqualTo(Verdict.EQUIVALENT);
        } else {
            assertThat(verdict(metric, one)).isNotIn(Verdict.EQUIVALENT, Verdict.BETTER);
            assertThat(one.difference().value()).isNotZero();
        }
        Sides all = compare(metric, planted, RUNS);
        assertThat(verdict(metric, all)).isEqualTo(Verdict.WORSE);
        assertThat(all.difference().hasEnds()).isTrue();
    }

    private static Sides compare(Metric<?> metric, Planted planted, int bad) {
        return Sides.of(metric, List.of(point(metric, planted, 0)), List.of(point(metric, planted, bad)));
    }

    private static PointSummary point(Metric<?> metric, Planted planted, int bad) {
        return summary(metric, run -> run < bad ? planted.bad : planted.good)
                .points()
                .get(0);
    }

    private static Verdict verdict(Metric<?> metric, Sides sides) {
        return Double.isNaN(sides.ratio().ratio().value())
                ? RatioTest.ofDifference(sides.difference(), false, metric.smallerIsBetter())
                : sides.ratio().verdict(Comparisons.Between.MARGIN, 0, metric.smallerIsBetter());
    }

    /** Only these quotients are not parts of a whole that is known. */
    @Test
    void sharesAreOfAllRunsTogether() {
        assertThat(judged().filter(metric -> metric.unit().equals(Metric.PERCENT))
                        .filter(metric -> metric.combination() != Combination.POOLED))
                .extracting(Metric::id)
                .containsExactlyInAnyOrder("price.cpu.value", "transfers.compression.ratio");
    }

    /** A number that is a count of packets, transfers or others is no value of a typical run. */
    @Test
    void countsAreSums() {
        assertThat(judged().filter(metric -> metric.statistic().matches("Count|Lost|Values|Copies|Packets|Sent.*"))
                        .filter(metric -> metric.unit().matches("packets|transfers|runs")))
                .extracting(metric -> metric.combination())
                .containsOnly(Combination.SUM);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "recovery.loss.high",
                "transfers.confidence",
                "throughput.elapsed.low",
                "price.lag.high",
                "playout.budgets.0.01.correlated.low",
                "transfers.connection.verdicts.network.confidence"
            })
    void endsOfIntervalsAreNotJudged(String id) {
        assertThatThrownBy(() -> Requirement.parse(id + " <= 1 %").metric())
                .hasMessageContaining(id + " cannot be judged: it is an end of an interval, a confidence, or what")
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
        assertThatThrownBy(() -> MetricRegistry.judged("recovery.loss.low"))
                .hasMessageEndingWith("Use recovery.loss.share" + " or recovery.loss.burst.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"failedSends.packets.ENOBUFS <= 0 packets", "media.loss.periodLengths.maximum <= 3 packets"})
    void noneIsZero(String text) throws Exception {
        Metric<?> metric = Requirement.parse(text).metric();
        assertThat(judge(text, summary(metric, run -> run == 0 ? Double.NaN : 0), Judgment.Basis.INTERVAL))
                .isEqualTo(Outcome.MET);
        assertThat(judge(text, summary(metric, run -> run == 0 ? Double.NaN : 5), Judgment.Basis.INTERVAL))
                .isEqualTo(Outcome.MISSED);
    }

    /** What a run did not record is not none. */
    @Test
    void unknownIsNotZero() throws Exception {
        for (String text : List.of("kernelDrops <= 0 packets", "ledger.lag.tail.parts.x.packets <= 3 packets")) {
            Metric<?> metric = Requirement.parse(text).metric();
            Summary summary = summary(metric, run -> run == 0 ? Double.NaN : 0);
            assertThat(judge(text, summary, Judgment.Basis.INTERVAL)).isEqualTo(Outcome.UNDECIDED);
        }
    }

    /** Further runs add to a sum, so that one that is exceeded stays so, and one that is too small does not. */
    @Test
    void exceededSumIsMissedWithoutAllRuns() throws Exception {
        Metric<?> lost = MetricRegistry.of("packets.lost");
        PointSummary two = summary(lost, run -> 50).points().get(0);
        Summary summary = SimulatedGates.summary(
                new PointSummary(two.point(), two.pooled(), two.runs().subList(0, 2)), 3);
        assertThat(judge("packets.lost <= 99 packets", summary, Judgment.Basis.INTERVAL))
                .isEqualTo(Outcome.MISSED);
        assertThat(judge("packets.lost <= 100 packets", summary, Judgment.Basis.INTERVAL))
                .isEqualTo(Outcome.UNDECIDED);
        assertThat(judge("packets.lost >= 101 packets", summary, Judgment.Basis.VALUE))
                .isEqualTo(Outcome.UNDECIDED);
    }

    private static Outcome verdict(Metric<?> metric, Planted planted, int bad, Judgment.Basis basis) throws Exception {
        String unit = metric.unit().equals("µs") ? "us" : metric.unit();
        String text = metric.id() + (metric.smallerIsBetter() ? " <= " : " >= ") + planted.limit + " " + unit;
        return judge(text, summary(metric, run -> run < bad ? planted.bad : planted.good), basis);
    }

    private static Outcome judge(String text, Summary summary, Judgment.Basis basis) throws LagbenchException {
        return Requirement.parse(text).judge(summary, basis).get(0).verdict();
    }

    private interface Values {
        double of(int run);
    }

    /** Returns a session whose runs have these values of a metric, in its unit; NaN for none. */
    private static Summary summary(Metric<?> metric, Values values) {
        Traffic traffic = Stream.of(Traffic.values())
                .filter(kind -> MetricMeaning.isDefined(metric.id(), kind.text()))
                .findFirst()
                .orElseThrow();
        MeasuredPoint point = SimulatedGates.point("", TrafficSpec.of(traffic));
        List<RunSummary> runs = new ArrayList<>();
        IntStream.range(0, RUNS)
                .forEach(run -> runs.add(new RunSummary(
                        "r" + run, run + 1, RunRecord.State.COMPLETE, metrics(metric, values.of(run)), null, null)));
        Metrics pooled = SimulatedGates.metrics(RunPacketCounts.NONE);
        return SimulatedGates.summary(new PointSummary(point, pooled, runs), 0);
    }

    private static Metrics metrics(Metric<?> metric, double value) {
        return SimulatedGates.metrics(RunPacketCounts.NONE)
                .with(MediaGroups.MEDIA, new MediaMetrics(null, null, null, null, null, null, null))
                .with(metric, value, Double.isNaN(value) ? 0 : WHOLE);
    }
}
