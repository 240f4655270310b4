package org.lagbench.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.comparison.Studies.Study;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

@Tag("one-java")
class ComparisonsTest {
    private static final int PACKETS = 20;

    private final SessionFixture session;
    private int runs;

    ComparisonsTest(@TempDir Path directory) throws IOException {
        session = new SessionFixture(directory.resolve("session"));
    }

    @Test
    void comparesRepeatByRepeat() throws Exception {
        // the machine slows down from repeat to repeat, and c is always at half of java's lag, ± 2 %
        double[] noise = {1.02, .98, 1.01, .99, 1};
        for (int repeat = 1; repeat <= 5; repeat++) {
            long lagNs = 10_000L * repeat * repeat;
            run("java", repeat, lagNs, 24).write();
            run("c", repeat, (long) (lagNs * .5 * noise[repeat - 1]), 24).write();
        }

        Comparisons comparisons = compare("engine", "java");

        Comparison median = find(comparisons, "lag.median");
        assertThat(median.ratio().value()).isCloseTo(.5, within(.002));
        assertThat(median.ratio().low()).isBetween(.48, .5);
        assertThat(median.ratio().high()).isBetween(.5, .52);
        assertThat(median.baseline()).isCloseTo(90, within(.01));
        assertThat(median.difference().value()).as("in µs").isCloseTo(-44.55, within(.01));
        assertThat(median.difference().low()).isLessThan(-100);
        assertThat(median.verdict()).isEqualTo(Verdict.BETTER);
        assertThat(median.doubt()).isNull();
        assertThat(find(comparisons, "lag.q99").verdict()).isEqualTo(Verdict.BETTER);
        // 24 bytes every 1,000 ns
        Comparison rate = find(comparisons, "receiveRate");
        assertThat(rate.compared()).isCloseTo(192, within(1e-9));
        assertThat(rate.verdict()).isEqualTo(Verdict.EQUIVALENT);
        assertThat(find(compare("engine", "c"), "lag.median").verdict()).isEqualTo(Verdict.WORSE);
        assertThat(find(compare("engine", "c"), "lag.median").ratio().value()).isCloseTo(2, within(.01));
    }

    @Test
    void comparesOnlyRepeatsRunWithBothValues() throws Exception {
        for (int repeat = 1; repeat <= 3; repeat++) {
            run("java", repeat, 10_000L * repeat, 24).write();
        }
        run("c", 3, 60_000, 24).write();
        run("c", 2, 20_000, 24).write();
        Comparison median = find(compare("engine", "java"), "lag.median");
        assertThat(median.repeats()).isEqualTo(2);
        assertThat(median.ratio().value()).isCloseTo(Math.sqrt(2), within(1e-9));
        assertThat(median.verdict()).isEqualTo(Verdict.UNDECIDED);
    }

    @Test
    void isUndecidedAfterFewRepeats() throws Exception {
        for (int repeat = 1; repeat <= 4; repeat++) {
            run("java", repeat, 10_000, 24).write();
            run("c", repeat, 50_000, 24).write();
        }
        Comparison median = find(compare("engine", "java"), "lag.median");
        assertThat(median.ratio().hasEnds()).isFalse();
        assertThat(median.ratio().value()).isCloseTo(5, within(1e-9));
        assertThat(median.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(median.doubt()).isEqualTo(Verdict.Doubt.REPEATS);
    }

    @Test
    void isUndecidedWithinTheClockBound() throws Exception {
        for (int repeat = 1; repeat <= 5; repeat++) {
            run("java", repeat, 100_000, 24)
                    .clock(SessionFixture.clockOf(10_000L, ClockBound.Basis.CHRONY))
                    .write();
            run("c", repeat, 110_000 + repeat, 24)
                    .clock(SessionFixture.clockOf(10_000L, ClockBound.Basis.CHRONY))
                    .write();
            run("java-nio", repeat, 200_000, 24)
                    .clock(SessionFixture.clockOf(10_000L, ClockBound.Basis.CHRONY))
                    .write();
            run("rmi", repeat, 900_000, 24).clock(null).write();
        }
        Comparisons comparisons = compare("engine", "java");
        assertThat(find(comparisons, "lag.median", "c").doubt()).isEqualTo(Verdict.Doubt.CLOCK);
        assertThat(find(comparisons, "lag.median", "java-nio").verdict()).isEqualTo(Verdict.WORSE);
        assertThat(find(comparisons, "lag.median", "rmi").doubt()).isEqualTo(Verdict.Doubt.CLOCK);
        // one host's clock is enough for delays
        assertThat(find(comparisons, "receiveDelay.median", "rmi").verdict()).isEqualTo(Verdict.EQUIVALENT);
    }

    @Test
    void neverPrefersPointThatLostMore() throws Exception {
        for (int repeat = 1; repeat <= 5; repeat++) {
            run("java", repeat, 100_000, 24).write();
            long[][] half = new long[PACKETS / 2][];
            for (int i = 0; i < half.length; i++) {
                half[i] = new long[] {i, i * 1_000L + 10_000};
            }
            run("c", repeat, 0, 24).received(half).write();
        }
        Comparison faster = find(compare("engine", "java"), "lag.median");
        assertThat(faster.ratio().high()).isLessThan(1);
        assertThat(faster.doubt()).isEqualTo(Verdict.Doubt.LOSS);
        assertThat(find(compare("engine", "c"), "lag.median").doubt()).isEqualTo(Verdict.Doubt.LOSS);
    }

    @Test
    void hasNoRatioOfNegativeLags() throws Exception {
        run("java", 1, 100, 24).write();
        run("c", 1, -100, 24).write();
        Comparison lag = find(compare("engine", "java"), "lag.median");
        assertThat(lag.doubt()).isEqualTo(Verdict.Doubt.VALUE);
        assertThat(lag.repeats()).isEqualTo(1);
        assertThat(lag.difference().value()).as("in µs").isCloseTo(-.2, within(1e-9));
    }

    @Test
    void comparesAnySettingAtEachPlace() throws Exception {
        for (String engine : List.of("java", "c")) {
            for (int bytes : new int[] {24, 992}) {
                run(engine, 1, 10_000, bytes).setting("send-buffer", 4_096L).write();
                run(engine, 1, 30_000, bytes).setting("send-buffer", 65_536L).write();
            }
        }
        for (String name : List.of("udp.send-buffer", "send-buffer")) {
            for (String baseline : List.of("65536", "64KiB", "64 KiB")) {
                Comparisons comparisons = compare(name, baseline);
                assertThat(comparisons.baseline()).isEqualTo("65536");
                assertThat(comparisons.all())
                        .filteredOn(comparison -> comparison.metric().id().equals("lag.median"))
                        .hasSize(4)
                        .allSatisfy(comparison ->
                                assertThat(comparison.ratio().value()).isCloseTo(1 / 3.0, within(1e-9)));
            }
        }
        assertThat(compare("packet-bytes", "24").all())
                .filteredOn(comparison -> comparison.metric().id().equals("lag.median"))
                .hasSize(4);
    }

    @Test
    void comparesTransportsWithDifferentSettings() throws Exception {
        run("java", "tcp", 1, 40_000, 24).setting("no-delay", true).write();
        run("java", 1, 10_000, 24).write();
        run("java", 1, 10_000, 992).write();
        Comparisons comparisons = compare("transport", "tcp");
        assertThat(find(comparisons, "lag.median").ratio().value()).isCloseTo(.25, within(1e-9));
        assertThat(comparisons.alone()).singleElement().satisfies(point -> assertThat(point.packetBytes())
                .isEqualTo(992));
    }

    @Test
    void namesAxesAndValues() throws Exception {
        run("java", 1, 10_000, 24).write();
        run("c", 1, 10_000, 24).write();
        assertRefused(
                "enigne", null, "This session has no axis enigne. Its axes with several values: engine (java, c).");
        assertRefused(
                "packet-bytes",
                null,
                "All runs of this session have packet-bytes 24. Its axes with several values: engine (java, c).");
        assertRefused("engine", "rmi", "No run of this session has engine rmi. The values of engine are java, c.");
    }

    private void assertRefused(String axis, @Nullable String baseline, String message) {
        assertThatThrownBy(() -> compare(axis, baseline))
                .hasMessage(message)
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
    }

    /** The series of c has a gap; the pairs are the repeats, however far apart in time they were. */
    @Test
    void comparesTheSeriesOfRepeats() throws Exception {
        for (int repeat = 1; repeat <= 12; repeat++) {
            run("java", repeat, 100_000 + 1_000L * (repeat % 3), 24).write();
            if (repeat != 5) {
                long outlier = repeat == 7 ? 200 : 1;
                run("c", repeat, outlier * 2 * (100_000 + 1_000L * (repeat % 3)), 24)
                        .write();
            }
        }
        Studies studies = Studies.of(summary(), new Between("engine", "java", Between.MARGIN));
        assertThat(studies.all()).hasSize(2);
        Study lag = studies.all().get(0);
        assertThat(lag.comparison().metric().id()).isEqualTo("lag.median");
        assertThat(lag.equivalence().regression().pairs()).isEqualTo(11);
        assertThat(lag.equivalence().outliers()).isEqualTo(1);
        assertThat(lag.equivalence().regressionWithoutOutliers().slope()).isCloseTo(2, within(1e-9));
        assertThat(lag.equivalence().regressionWithoutOutliers().rSquared()).isCloseTo(1, within(1e-9));
        assertThat(lag.isSlopeNearOne()).isFalse();
        assertThat(lag.equivalence().first().mean()).isCloseTo(101, within(1e-9));
        assertThat(lag.equivalence().second().missing()).isEqualTo(1);
        assertThat(lag.equivalence().mseIntervals().isEquivalent()).isFalse();
        Study rate = studies.all().get(1);
        assertThat(rate.isSlopeNearOne()).isTrue();
        assertThat(rate.equivalence().mseIntervals().isEquivalent()).isTrue();
        assertThat(rate.comparison().verdict()).isEqualTo(Verdict.EQUIVALENT);
    }

    @Test
    void drawsCurvesOverPacketSizes() throws Exception {
        for (int repeat = 1; repeat <= 2; repeat++) {
            for (int bytes : new int[] {992, 24}) {
                run("java", repeat, 10_000L * repeat, bytes).write();
                run("c", repeat, 5_000L * repeat, bytes).write();
            }
            run("rmi", repeat, 5_000, 24).write();
        }
        List<SizeCurves> curves = SizeCurves.of(summary(), null);
        assertThat(curves).hasSize(2); // of lag and receive rate; rmi has one size
        assertThat(curves.get(0).curves()).hasSize(2).allSatisfy(curve -> assertThat(curve.bySize())
                .containsOnlyKeys(24, 992));
        assertThat(curves.get(0).curves().get(1).bySize().get(24).value()).isCloseTo(5 * Math.sqrt(2), within(1e-9));
        assertThat(SizeCurves.of(summary(), "jvm")).isEmpty();
    }

    /** Two transfers of 480 bytes in pieces of 24; c is twice as fast as java at each size. */
    @Test
    void comparesThroughputOfTransfers() throws Exception {
        for (int repeat = 1; repeat <= 2; repeat++) {
            transfers("java", repeat, 480, 8_000);
            transfers("c", repeat, 480, 4_000);
            transfers("java", repeat, 240, 6_000);
            transfers("c", repeat, 240, 3_000);
        }
        Comparisons comparisons = compare("engine", "java");
        assertThat(comparisons.all())
                .filteredOn(comparison -> comparison.metric().id().equals("throughput.elapsed"))
                .hasSize(2)
                .allSatisfy(comparison -> assertThat(comparison.ratio().value()).isCloseTo(2, within(1e-9)));
        // 240 bytes in 6 us, and in 6 us less half of the 1 us that the connection took
        assertThat(find(comparisons, "throughput.elapsed").baseline()).isCloseTo(320, within(1e-9));
        assertThat(find(comparisons, "throughput.latencySubtracted").baseline()).isCloseTo(1_920 / 5.5, within(1e-9));
        assertThat(find(compare("transfer-bytes", "480"), "throughput.elapsed")
                        .ratio()
                        .value())
                .isCloseTo(2 / 3.0, within(1e-9));
    }

    private void transfers(String engine, int repeat, int bytes, long elapsedNs) throws Exception {
        int pieces = bytes / 24;
        long[] sent = new long[2 * pieces];
        long[][] received = new long[2 * pieces][];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = i / pieces * 100_000L + i % pieces;
            received[i] = new long[] {i, sent[i] + 500};
        }
        session.run(String.format("%04d-tcp-24-transfer-r%d", ++runs, repeat), "tcp", 24)
                .engine(engine, "default")
                .sent(sent)
                .received(received)
                .transfers(
                        bytes, new long[] {-2_000, -1_000, elapsedNs}, new long[] {90_000, 91_000, 100_000 + elapsedNs})
                .write();
    }

    @Test
    void refusesAnAxisBeforeReadingCaptures() throws Exception {
        Path lost = run("java", 1, 10_000, 24).write();
        run("c", 1, 10_000, 24).write();
        Session opened = Session.open(session.path());
        Files.delete(lost.resolve("sender.npy"));
        assertThatThrownBy(() -> Comparisons.check(opened, new Between("enigne", null, Between.MARGIN)))
                .hasMessage("This session has no axis enigne. Its axes with several values: engine (java, c).");
        assertThatThrownBy(() -> Comparisons.check(opened, new Between("engine", "rmi", Between.MARGIN)))
                .hasMessage("No run of this session has engine rmi. The values of engine are java, c.");
        Comparisons.check(opened, new Between("engine", "java", Between.MARGIN));
    }

    /** Returns a run whose packets, one every 1,000 ns, have one lag. */
    private RunFixture run(String engine, int repeat, long lagNs, int bytes) throws IOException {
        return run(engine, "udp", repeat, lagNs, bytes);
    }

    private RunFixture run(String engine, String transport, int repeat, long lagNs, int bytes) throws IOException {
        long[] sent = new long[PACKETS];
        long[][] received = new long[PACKETS][];
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = i * 1_000L;
            received[i] = new long[] {i, sent[i] + lagNs};
        }
        String name = String.format("%04d-%s-%d-r%d", ++runs, transport, bytes, repeat);
        return session.run(name, transport, bytes)
                .engine(engine, "default")
                .sent(sent)
                .received(received);
    }

    private Summary summary() throws LagbenchException {
        return Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
    }

    private Comparisons compare(String axis, @Nullable String baseline) throws LagbenchException {
        return Comparisons.of(summary(), new Between(axis, baseline, Between.MARGIN));
    }

    private static Comparison find(Comparisons comparisons, String metric) {
        return comparisons.all().stream()
                .filter(comparison -> comparison.metric().id().equals(metric))
                .findFirst()
                .orElseThrow();
    }

    private static Comparison find(Comparisons comparisons, String metric, String engine) {
        return comparisons.all().stream()
                .filter(comparison -> comparison.metric().id().equals(metric))
                .filter(comparison -> comparison.point().engine().equals(engine))
                .findFirst()
                .orElseThrow();
    }

    /** The p-values are the greater ones of two one-sided scipy.stats.binomtest. */
    @Test
    void testsEquivalenceBySigns() {
        double[] ratios = {1.01, .99, 1.03, 1.0, .98, 1.02};
        assertThat(RatioTest.nonEquivalence(ratios, .05, 0)).isCloseTo(1 / 64.0, within(1e-12));
        assertThat(RatioTest.nonEquivalence(ratios, .015, 0)).isCloseTo(22 / 64.0, within(1e-12));
        double[] inverse = Arrays.stream(ratios).map(ratio -> 1 / ratio).toArray();
        assertThat(RatioTest.nonEquivalence(inverse, .015, 0)).isCloseTo(22 / 64.0, within(1e-12));
        assertThat(RatioTest.nonEquivalence(ratios, .05, Double.POSITIVE_INFINITY))
                .isEqualTo(1);
        assertThat(RatioTest.nonEquivalence(new double[] {1, 1, 1, 1}, .05, 0)).isNaN();
    }

    /** At the margin, the probability of a false equivalence is largest: 5 %. */
    @Test
    void findsFalseEquivalenceInAtMostOneOfTwenty() {
        Random random = new Random(5);
        int sessions = 20_000;
        int equivalent = 0;
        for (int session = 0; session < sessions; session++) {
            equivalent += isEquivalent(random, 1.05) ? 1 : 0;
        }
        // P(binomial(13, ½) ≤ 3) = .0461, and 3 standard errors of 20,000 sessions
        assertThat((double) equivalent / sessions).isBetween(.0417, .0505);
        int shown = 0;
        for (int session = 0; session < 1_000; session++) {
            shown += isEquivalent(random, 1) ? 1 : 0;
        }
        assertThat(shown).isGreaterThan(950);
    }

    private static boolean isEquivalent(Random random, double ratio) {
        double[] ratios = DoubleStream.generate(() -> ratio * Math.exp(.01 * random.nextGaussian()))
                .limit(13)
                .toArray();
        return RatioTest.nonEquivalence(ratios, .05, 0) <= .05;
    }
}
