package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lagbench.analysis.SessionFixture.EPOCH_NS;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.clock.Estimator;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.ClockEffect.RunStep;
import org.lagbench.core.clock.ChronyTracking;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.run.RunRecord;

/** Corrected lags and clock marks of runs with known lags and clocks. */
class CorrectedLagTest {
    private static final int PACKETS = 4_000;
    private static final long INTERVAL_NS = 1_000_000;

    private final SessionFixture session;
    private final Random random = new Random(1601);
    private final List<Long> trueLags = new ArrayList<>();
    private long leastNs = 40_000;

    CorrectedLagTest(@TempDir Path directory) throws IOException {
        session = new SessionFixture(directory.resolve("session"));
    }

    @Test
    void findsTheTrueLagByBothEstimators() throws Exception {
        run("0001-udp-24-r1", 50_000_000, 100e-6, 0).write();
        Metrics metrics = summary(true).points().get(0).pooled();
        double trueMean = trueLags.stream().mapToLong(Long::longValue).average().orElseThrow();
        SeriesStatistics raw = metrics.series().values().iterator().next();
        assertThat(raw.meanNs()).isCloseTo(50_000_000 + 200_000 + trueMean, within(1_000.0));
        assertThat(metrics.require(MetricGroup.CORRECTED))
                .extracting(CorrectedLag::estimator)
                .containsExactly(Estimator.TWO_WAY, Estimator.HULL);
        for (CorrectedLag corrected : metrics.require(MetricGroup.CORRECTED)) {
            assertThat(corrected.lag().n()).isEqualTo(PACKETS);
            assertThat(corrected.lag().meanNs()).isCloseTo(trueMean, within(2_000.0));
            assertThat(corrected.lag().standardDeviationNs()).isCloseTo(2_000, within(150.0));
            // at least half the round trip of 60 µs, because the path may be asymmetric
            assertThat(corrected.uncertaintyNs()).isBetween(30_000L, 36_000L);
            OffsetEstimate estimate = corrected.offsets().get(0);
            assertThat(estimate.line().skewPpm()).isCloseTo(100, within(0.5));
            assertThat((double) estimate.midSpanOffsetNs()).isCloseTo(50_200_000, within(2_000.0));
        }
        assertThat(metrics.clock().marks()).isEmpty();
    }

    /** At 220 ppm the clocks' offset changes by 14 µs while a packet is under way. */
    @ParameterizedTest
    @ValueSource(doubles = {-220e-6, 450e-6})
    void correctsLongLagsByTheOffsetWhenReceived(double skew) throws Exception {
        leastNs = 63_742_100;
        run("0001-udp-24-r1", 50_000_000, skew, 0).write();
        double trueMean = trueLags.stream().mapToLong(Long::longValue).average().orElseThrow();
        List<CorrectedLag> all = summary(true).points().get(0).pooled().require(MetricGroup.CORRECTED);
        assertThat(all)
                .hasSize(2)
                .allSatisfy(corrected -> assertThat(corrected.lag().meanNs()).isCloseTo(trueMean, within(2_000.0)));
    }

    @Test
    void poolsRepeatsAfterCorrection() throws Exception {
        run("0001-udp-24-r1", 50_000_000, 100e-6, 0).write();
        run("0002-udp-24-r2", -7_000_000, -30e-6, 0).write();
        PointSummary point = summary(true).points().get(0);
        double trueMean = trueLags.stream().mapToLong(Long::longValue).average().orElseThrow();
        for (int i = 0; i < 2; i++) {
            CorrectedLag pooled = point.pooled().require(MetricGroup.CORRECTED).get(i);
            assertThat(pooled.lag().n()).isEqualTo(2 * PACKETS);
            assertThat(pooled.lag().meanNs()).isCloseTo(trueMean, within(2_000.0));
            assertThat(pooled.lag().standardDeviationNs()).isLessThan(3_000);
            assertThat(pooled.offsets()).isEmpty();
            Long first = point.runs()
                    .get(0)
                    .metrics()
                    .require(MetricGroup.CORRECTED)
                    .get(i)
                    .uncertaintyNs();
            Long second = point.runs()
                    .get(1)
                    .metrics()
                    .require(MetricGroup.CORRECTED)
                    .get(i)
                    .uncertaintyNs();
            assertThat(first).isNotNull();
            assertThat(second).isNotNull();
            assertThat(pooled.uncertaintyNs()).isEqualTo(Math.max(first, second));
        }
        run("0003-udp-24-r3", 0, 0, 0).twoWay(List.of()).write();
        point = summary(true).points().get(0);
        assertThat(point.pooled().require(MetricGroup.CORRECTED))
                .as("one of its runs cannot be")
                .isEmpty();
        assertThat(point.runs().get(0).metrics().require(MetricGroup.CORRECTED)).hasSize(2);
        assertThat(summary(false).points().get(0).runs().get(0).metrics().require(MetricGroup.CORRECTED))
                .isEmpty();
    }

    @Test
    void marksAStepDuringTheRun() throws Exception {
        run("0001-udp-24-r1", 0, 20e-6, 1_000_000)
                .clock(SessionFixture.clockOf(
                        1_100_000L, ClockBound.Basis.TWO_WAY, "The receiver's clock was stepped."))
                .write();
        Metrics metrics = summary(true).points().get(0).pooled();
        assertThat(metrics.clock().marks()).hasSize(3);
        assertThat(metrics.clock().marks().get(0))
                .isEqualTo(new RunMark("0001-udp-24-r1", "The receiver's clock was stepped."));
        assertThat(metrics.clock().marks().get(1).sentence())
                .matches(
                        "By the stamps the receiver's clock gained \\+(1\\.00\\d ms|1000\\.\\d µs|99\\d\\.\\d µs) .* on"
                                + " the sender's between 1\\.9[45]\\d s and 1\\.9[56]\\d s after the first packet: one"
                                + " of them was set\\. Lags before and after it are not comparable\\.");
        assertThat(metrics.clock().marks().get(2).sentence())
                .matches("Packets without a corrected lag: \\d+\\. A clock may have been set while they were under way,"
                        + " or no two-way exchange was made between two steps\\.");
        double trueMean = trueLags.stream().mapToLong(Long::longValue).average().orElseThrow();
        assertThat(metrics.require(MetricGroup.CORRECTED)).hasSize(2).allSatisfy(corrected -> {
            assertThat(corrected.uncertaintyNs()).isBetween(30_000L, 130_000L);
            assertThat(corrected.lag().meanNs()).isCloseTo(trueMean, within((double) corrected.uncertaintyNs()));
            assertThat(corrected.lag().maximumNs()).isLessThan(200_000);
            assertThat(corrected.offsets()).hasSize(2);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void findsASmallStepAndWhetherAHostNoticedIt(boolean noticed) throws Exception {
        RunRecord.Clock clock = SessionFixture.clockOf(300_000L, ClockBound.Basis.TWO_WAY);
        ClockHistory.ClockStep step = new ClockHistory.ClockStep(EPOCH_NS + 1_950_000_000L, -200_000);
        run("0001-udp-24-r1", 0, 20e-6, -200_000)
                .clock(new RunRecord.Clock(
                        500_000L,
                        clock.basis(),
                        false,
                        noticed ? List.of(step.sentence(ClockBound.RECEIVERS_CLOCK)) : List.of(),
                        clock.sender(),
                        noticed ? new ClockHistory(List.of(), List.of(step)) : clock.receiver(),
                        List.of()))
                .write();
        ClockEffect found = clock();
        assertThat(found.steps()).hasSize(1);
        RunStep reported = found.steps().get(0);
        assertThat(reported.noticedBy()).isEqualTo(noticed ? "receiver" : null);
        assertThat(reported.step().leastNs()).isBetween(-210_000L, -200_000L);
        assertThat(reported.step().greatestNs()).isBetween(-200_000L, -190_000L);
        assertThat(reported.step().afterNs()).isBetween(EPOCH_NS + 1_945_000_000L, step.atNs());
        assertThat(reported.step().beforeNs()).isBetween(step.atNs(), EPOCH_NS + 1_955_000_000L);
        // the recorded bound, 500 µs, already contains a step that a host noticed
        assertThat(found.boundNs())
                .isEqualTo(500_000 + (noticed ? 0 : -reported.step().leastNs()));
        assertThat(found.marks()).hasSize(1);
        assertThat(found.marks().get(0).sentence())
                .contains(noticed ? ": the receiver's clock was set." : ": one of them was set.");
    }

    @Test
    void correctsByTheMeasurementsOfChrony() throws Exception {
        List<ClockState> sender = new ArrayList<>();
        List<ClockState> receiver = new ArrayList<>();
        for (int second = -1; second <= 4; second++) {
            long ns = second * 1_000_000_000L;
            sender.add(chrony(ns, -300, 0));
            receiver.add(chrony(receiver(ns, 50_000_000, 100e-6, 0), -300 - 50_000_000 - 100e-6 * ns, 2_000));
        }
        RunRecord.Clock clock = SessionFixture.clockOf(50_600_000L, ClockBound.Basis.CHRONY);
        run("0001-udp-24-r1", 50_000_000, 100e-6, 0)
                .twoWay(List.of())
                .clock(new RunRecord.Clock(
                        clock.boundNs(),
                        clock.basis(),
                        false,
                        List.of(),
                        new ClockHistory(sender, List.of()),
                        new ClockHistory(receiver, List.of()),
                        List.of()))
                .write();
        Metrics metrics = summary(true).points().get(0).pooled();
        double trueMean = trueLags.stream().mapToLong(Long::longValue).average().orElseThrow();
        assertThat(metrics.require(MetricGroup.CORRECTED)).hasSize(1);
        CorrectedLag corrected = metrics.require(MetricGroup.CORRECTED).get(0);
        assertThat(corrected.estimator()).isEqualTo(Estimator.CHRONY);
        assertThat(corrected.lag().meanNs()).isCloseTo(trueMean, within(10.0));
        // the receiver's root dispersion of 500 + half of its root delay of 2,000 + 1 ppm for its update interval of
        // 1/64 s
        assertThat(corrected.uncertaintyNs()).isBetween(1_500L, 1_540L);
        OffsetEstimate offset = corrected.offsets().get(0);
        assertThat(offset.line().offsetNs(EPOCH_NS)).isBetween(49_999_990L, 50_000_010L);
        assertThat(offset.skewPpm()).isCloseTo(100, within(0.02));
    }

    /** Returns a clock's state with chronyd's correction and a root delay. */
    private static ClockState chrony(long ns, double correctionNs, double delayNs) {
        ChronyTracking tracking = new ChronyTracking(
                "0A630001",
                null,
                9,
                ChronyTracking.Leap.NORMAL,
                0,
                correctionNs,
                0,
                0,
                0,
                0,
                0,
                delayNs,
                delayNs / 4,
                delayNs == 0 ? 0 : 1.0 / 64);
        return new ClockState(EPOCH_NS + ns, "boot", ClockState.Source.CHRONY, tracking, tracking.boundNs(), "Kept.");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void correctsBeforeAndAfterANoticedSmallStep(boolean bySender) throws Exception {
        RunRecord.Clock clock = SessionFixture.clockOf(60_000L, ClockBound.Basis.TWO_WAY, "The clock was stepped.");
        ClockHistory set =
                new ClockHistory(List.of(), List.of(new ClockHistory.ClockStep(EPOCH_NS + 1_950_000_000L, 5_000)));
        run("0001-udp-24-r1", 0, 20e-6, 5_000)
                .clock(new RunRecord.Clock(
                        clock.boundNs(),
                        clock.basis(),
                        false,
                        clock.marks(),
                        bySender ? set : clock.sender(),
                        bySender ? clock.receiver() : set,
                        List.of()))
                .write();
        Metrics metrics = summary(true).points().get(0).pooled();
        assertThat(metrics.require(MetricGroup.CORRECTED)).hasSize(2);
        for (CorrectedLag corrected : metrics.require(MetricGroup.CORRECTED)) {
            assertThat(corrected.uncertaintyNs()).isBetween(30_000L, 130_000L);
            assertThat(corrected.offsets()).hasSize(2);
        }
        assertThat(metrics.clock().steps()).hasSize(1);
        assertThat(metrics.clock().steps().get(0).noticedBy()).isEqualTo(bySender ? "sender" : "receiver");
        assertThat(metrics.clock().marks())
                .extracting(RunMark::sentence)
                .element(1)
                .asString()
                .startsWith("By the stamps the receiver's clock gained " + (bySender ? "-5.0 µs" : "+5.0 µs") + " (-");
    }

    @Test
    void countsAndMarksNegativeLagsBeyondTheBound() throws Exception {
        early("0001-udp-24-r1", SessionFixture.clockOf(1_001L, ClockBound.Basis.CHRONY));
        assertThat(clock().negativeBeyondBound()).isZero();
        assertThat(clock().marks()).isEmpty();
        early("0002-udp-24-r2", SessionFixture.clockOf(1_000L, ClockBound.Basis.CHRONY));
        assertThat(clock().negativeBeyondBound()).isEqualTo(1);
        assertThat(clock().marks())
                .containsExactly(new RunMark(
                        "0002-udp-24-r2",
                        "Packets that arrived before they were sent, by more than the clock bound: 1. The clocks do not"
                                + " explain that: the bound does not hold, or stamps are wrong."));
        early("0003-udp-24-r3", SessionFixture.clockOf(null, ClockBound.Basis.NOTHING));
        assertThat(clock().negativeBeyondBound()).isNull();
        assertThat(clock().marks()).hasSize(1);
        PointSummary point = summary(false).points().get(0);
        assertThat(point.pooled().packets().negativeLags()).isEqualTo(9);
        assertThat(point.runs().get(2).metrics().clock().marks()).isEmpty();
    }

    private void early(String name, RunRecord.Clock clock) throws Exception {
        session.run(name, "udp", 24)
                .sent(0, 10_000, 20_000, 30_000)
                .received(new long[] {0, -500}, new long[] {1, 9_000}, new long[] {2, 18_999}, new long[] {3, 30_001})
                .clock(clock)
                .write();
    }

    private ClockEffect clock() throws Exception {
        return summary(false).points().get(0).pooled().clock();
    }

    private Summary summary(boolean corrected) throws Exception {
        return Summaries.of(Session.open(session.path()), new SummaryOptions(false, corrected));
    }

    /**
     * Four seconds with a packet every ms. Lags are 40 µs plus an exponentially distributed 2 µs. Bursts of exchanges
     * go over a path of 30 µs each way. The receiver's clock is stepped after two seconds.
     */
    private RunFixture run(String name, long offsetNs, double skew, long stepNs) {
        long[] sent = new long[PACKETS];
        long[][] received = new long[PACKETS][];
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = i * INTERVAL_NS;
            long lag = leastNs + queue();
            trueLags.add(lag);
            received[i] = new long[] {i, receiver(sent[i] + lag, offsetNs, skew, stepNs)};
        }
        List<TwoWayExchange> exchanges = new ArrayList<>();
        for (int second = 0; second <= 4; second++) {
            for (int i = 0; i < (second % 4 == 0 ? 20 : 4); i++) {
                long at = second * 1_000_000_000L + i * 200_000L;
                long there = at + 30_000 + queue();
                long answered = there + 5_000;
                long back = answered + 30_000 + queue();
                exchanges.add(new TwoWayExchange(
                        EPOCH_NS + at,
                        EPOCH_NS + receiver(there, offsetNs, skew, stepNs),
                        EPOCH_NS + receiver(answered, offsetNs, skew, stepNs),
                        EPOCH_NS + back));
            }
        }
        return session.run(name, "udp", 24)
                .sent(sent)
                .received(received)
                .twoWay(exchanges)
                .clock(SessionFixture.clockOf(60_000_000L, ClockBound.Basis.TWO_WAY));
    }

    private long queue() {
        return Math.round(-2_000 * Math.log(1 - random.nextDouble()));
    }

    private static long receiver(long ns, long offsetNs, double skew, long stepNs) {
        return ns + offsetNs + Math.round(skew * ns) + (ns < 1_950_000_000L ? 0 : stepNs);
    }
}
