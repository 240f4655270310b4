package org.lagbench.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Included;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PlannedRuns;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;

@Tag("one-java")
class RequirementTest {
    private static final int PACKETS = 20;

    private final Path directory;

    RequirementTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** The range of six repeats is 10 to 60 µs, of the median 35 µs. */
    @ParameterizedTest
    @CsvSource({
        "lag.median <= 60.1 us, MET",
        "lag.median < 60 us, UNDECIDED",
        "lag.median < 61us, MET",
        "lag.median <= 35 us, UNDECIDED",
        "lag.median <= 9.9us, MISSED",
        "lag.median < 9.9 us, MISSED",
        "lag.median >= 9.9 us, MET",
        "lag.median > 10 us, UNDECIDED",
        "lag.median > 0.0601 ms, MISSED",
        "loss <= 0 %, MET",
        "loss < 60%, MET",
        "loss > 60 %, MISSED",
        "receiveRate >= 1 Mbit/s, MET"
    })
    void judgesByTheIntervalOverRepeats(String text, Judgment.Outcome verdict) throws Exception {
        SessionFixture session = session("runs");
        for (int repeat = 1; repeat <= 6; repeat++) {
            run(session, repeat, 992, 10_000L * repeat).write();
        }
        assertThat(judge(session, text)).singleElement().satisfies(judgment -> {
            assertThat(judgment.verdict()).isEqualTo(verdict);
            assertThat(judgment.doubt()).isNull();
        });
    }

    @Test
    void needsSixRepeatsUnlessTheValueDecides() throws Exception {
        SessionFixture session = session("few");
        for (int repeat = 1; repeat <= 5; repeat++) {
            run(session, repeat, 992, 10_000L * repeat).write();
        }
        Requirement requirement = Requirement.parse("lag.median <= 2 ms");
        Judgment few =
                requirement.judge(summary(session), Judgment.Basis.INTERVAL).get(0);
        assertThat(few.verdict()).isEqualTo(Judgment.Outcome.UNDECIDED);
        assertThat(few.doubt()).isEqualTo(Verdict.Doubt.REPEATS);
        assertThat(few.estimate().value()).isCloseTo(30, within(1e-9));
        assertThat(requirement
                        .judge(summary(session), Judgment.Basis.VALUE)
                        .get(0)
                        .verdict())
                .isEqualTo(Judgment.Outcome.MET);
        assertThat(Requirement.parse("lag.median <= 29us")
                        .judge(summary(session), Judgment.Basis.VALUE)
                        .get(0)
                        .verdict())
                .isEqualTo(Judgment.Outcome.MISSED);
    }

    /** Three of nine runs are three times as slow: with them, the median of all has an interval up to 30 µs. */
    @Test
    void spoiledRunsDecideNothing() throws Exception {
        SessionFixture session = session("spoiled");
        for (int repeat = 1; repeat <= 9; repeat++) {
            boolean isSpoiled = repeat <= 3;
            run(session, repeat, 992, isSpoiled ? 30_000 : 10_000)
                    .machine(SessionFixture.busy(isSpoiled ? 0.95 : 0.05))
                    .write();
        }
        for (String limit : List.of("lag.median <= 20 us", "loss <= 60 %")) {
            assertThat(judge(session, limit)).singleElement().satisfies(judgment -> {
                assertThat(judgment.verdict()).isEqualTo(Judgment.Outcome.MET);
                assertThat(judgment.subject().repeats()).isEqualTo(6);
            });
        }
        assertThat(judge(session, "lag.median >= 20 us").get(0).verdict()).isEqualTo(Judgment.Outcome.MISSED);
    }

    @ParameterizedTest
    @CsvSource({"1, INTERVAL", "9, INTERVAL", "9, VALUE"})
    void isUndecidedIfTooFewRunsAreNotSpoiled(int spoiled, String basis) throws Exception {
        SessionFixture session = session("few-left");
        for (int repeat = 1; repeat <= Math.max(6, spoiled); repeat++) {
            run(session, repeat, 992, 10_000)
                    .machine(SessionFixture.busy(repeat <= spoiled ? 0.95 : 0.05))
                    .write();
        }
        for (String limit : List.of("lag.median <= 20 us", "lag.median <= 1 us", "loss <= 100 %", "loss <= 0 %")) {
            assertThat(Requirement.parse(limit)
                            .judge(
                                    summary(session),
                                    basis.equals("VALUE") ? Judgment.Basis.VALUE : Judgment.Basis.INTERVAL))
                    .singleElement()
                    .satisfies(judgment -> {
                        assertThat(judgment.verdict()).as(limit).isEqualTo(Judgment.Outcome.UNDECIDED);
                        assertThat(judgment.doubt()).as(limit).isEqualTo(Verdict.Doubt.SPOILED);
                    });
        }
    }

    @Test
    void judgesOnlyTheSelectedPoints() throws Exception {
        SessionFixture session = session("sizes");
        for (int repeat = 1; repeat <= 6; repeat++) {
            run(session, repeat, 24, 10_000).write();
            run(session, repeat, 992, 50_000).write();
        }
        assertThat(verdicts(judge(session, "lag.median <= 20 us"))).containsExactly("missed", "met");
        assertThat(verdicts(judge(session, "lag.median <= 20 us at size=24,transport=udp")))
                .containsExactly("met");
        Judgment none = judge(session, "lag.median <= 20 us at size=25").get(0);
        assertThat(none.subject()).isNull();
        assertThat(none.doubt()).isEqualTo(Verdict.Doubt.MISSING);
        assertThat(none.verdict()).isEqualTo(Judgment.Outcome.UNDECIDED);
    }

    /** The last ns is the rate of the clocks: 0.05 % of 1 µs. */
    @Test
    void clockBoundWidensTheIntervalOfLags() throws Exception {
        assertThat(judgeWithBound(999L, "lag.median <= 2 us").doubt()).isNull();
        assertThat(judgeWithBound(1_000L, "lag.median <= 2 us").doubt()).isEqualTo(Verdict.Doubt.CLOCK);
        assertThat(judgeWithBound(null, "lag.median <= 2 us").doubt()).isEqualTo(Verdict.Doubt.CLOCK);
        assertThat(judgeWithBound(null, "receiveDelay.median <= 2 us").verdict())
                .isEqualTo(Judgment.Outcome.MET);
    }

    private Judgment judgeWithBound(@Nullable Long boundNs, String text) throws Exception {
        SessionFixture session = session("bound" + boundNs + text.charAt(0));
        for (int repeat = 1; repeat <= 6; repeat++) {
            run(session, repeat, 992, 1_000)
                    .clock(boundNs == null ? null : SessionFixture.clockOf(boundNs, ClockBound.Basis.CHRONY))
                    .write();
        }
        return judge(session, text).get(0);
    }

    /** Each packet is due after 1 µs, and sent after 2 µs: the path takes half of the rate. */
    @ParameterizedTest
    @CsvSource({"1000, 100", "2000, 50", "500, 100"})
    void judgesKeptShareOfScheduledRate(long everyNs, double percent) throws Exception {
        SessionFixture session = session("schedule" + everyNs);
        long[] scheduled = LongStream.range(0, PACKETS).map(i -> i * 1_000).toArray();
        long[] sent = LongStream.range(0, PACKETS).map(i -> i * everyNs).toArray();
        for (int repeat = 1; repeat <= 6; repeat++) {
            run(session, repeat, 992, 1_000)
                    .scheduled(1_000, scheduled)
                    .sent(sent)
                    .write();
        }
        Judgment judgment = judge(session, "scheduleKept >= 99 %").get(0);
        assertThat(judgment.estimate().value()).isCloseTo(percent, within(1e-9));
        assertThat(judgment.verdict()).isEqualTo(percent < 99 ? Judgment.Outcome.MISSED : Judgment.Outcome.UNDECIDED);
        assertThat(Requirement.parse("scheduleKept >= 99 %")
                        .judge(summary(session), Judgment.Basis.VALUE)
                        .get(0)
                        .verdict())
                .isEqualTo(percent < 99 ? Judgment.Outcome.MISSED : Judgment.Outcome.MET);
    }

    /** A run without arrivals has no lag; the others do not stand for it. */
    @Test
    void isUndecidedIfRepeatHasNoValue() throws Exception {
        SessionFixture session = session("lost");
        for (int repeat = 1; repeat <= 9; repeat++) {
            RunFixture run = run(session, repeat, 992, 1_000);
            (repeat == 9 ? run.received() : run).write();
        }
        assertThat(judge(session, "lag.median <= 2 us").get(0).doubt()).isEqualTo(Verdict.Doubt.MISSING);
        assertThat(verdicts(judge(session, "loss <= 0 %"))).containsExactly("missed");
    }

    @Test
    void missingRunsAreNotMet() throws Exception {
        MeasuredPoint other = SimulatedGates.point("-Xint");
        Summary drawn = SimulatedGates.summary(1, 1_000, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        Summary summary = new Summary(
                drawn.session(),
                false,
                drawn.points(),
                List.of(),
                List.of(),
                List.of(),
                PlannedRuns.of(Map.of(SimulatedGates.POINT, 10, other, 10)));
        List<Judgment> judgments = Requirement.parse("loss <= 1 %").judge(summary, new Judgment.Basis(false, .09));
        assertThat(judgments)
                .extracting(Judgment::verdict, Judgment::doubt)
                .containsOnly(tuple(Judgment.Outcome.UNDECIDED, Verdict.Doubt.INCOMPLETE));
        assertThat(judgments)
                .extracting(
                        judgment -> Objects.requireNonNull(judgment.subject()).included())
                .containsExactly(new Included(9, 10), new Included(0, 10));
        assertThat(verdicts(Requirement.parse("loss <= 1 %").judge(summary, new Judgment.Basis(false, .1))))
                .containsExactly("met", "undecided");
        assertThat(verdicts(Requirement.parse("loss >= 50 %").judge(summary, Judgment.Basis.INTERVAL)))
                .as("missed by the runs that there are")
                .containsExactly("missed", "undecided");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    lag.q99 = 2 ms          | needs a metric, one of < <= > >=, and a limit with its unit
                    lag.q99 <= 2 ms at size | 2 ms at size is not a valid limit of lag.q99; write one such as 2 ms.
                    lag.q999 <= 2 ms        | There is no metric "lag.q999"; did you mean lag.q99?
                    reordered <= 2 %        | no metric "reordered"; did you mean packets.reordered or media.reordering
                    packets.lost <= 2 %     | 2 % is not a valid limit of packets.lost; write one such as 3 packets.
                    lag.q99 <= 2            | 2 is not a valid limit of lag.q99; write one such as 2 ms.
                    loss <= 0.1 ms          | 0.1 ms is not a valid limit of loss; write one such as 0.1 %.
                    receiveRate >= 3 %      | 3 % is not a valid limit of receiveRate; write one such as 8 Mbit/s.
                    """)
    void namesMistakes(String text, String message) {
        assertThatThrownBy(() -> Requirement.parse(text).metric())
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
    }

    @Test
    void everyJudgedMetricHasLimits() throws Exception {
        for (Metric<?> metric : CombinationTest.judged().toList()) {
            String limit = metric.unit().equals("µs") ? "2 ms" : "2 " + metric.unit();
            String id = metric.id();
            assertThat(Requirement.parse(id + " <= " + limit).metric().id()).isEqualTo(id);
        }
    }

    @Test
    void intervalContainsZeros() {
        assertThat(Interval.ofRanks(0, 0, 0, 0, 0, 30)).isEqualTo(new Interval(0, 0, 30));
        assertThat(Interval.ofRanks(0, 0, 0, 0, 0, 0, 0, 0, 30)).isEqualTo(new Interval(0, 0, 0));
    }

    private static List<String> verdicts(List<Judgment> judgments) {
        return judgments.stream().map(judgment -> judgment.verdict().text()).toList();
    }

    private static List<Judgment> judge(SessionFixture session, String text) throws LagbenchException {
        return Requirement.parse(text).judge(summary(session), Judgment.Basis.INTERVAL);
    }

    private static Summary summary(SessionFixture session) throws LagbenchException {
        return Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
    }

    private SessionFixture session(String name) throws IOException {
        return new SessionFixture(directory.resolve(name));
    }

    static RunFixture run(SessionFixture session, int repeat, int bytes, long lagNs) throws IOException {
        long[] sent = new long[PACKETS];
        long[][] received = new long[PACKETS][];
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = i * 1_000L;
            received[i] = new long[] {i, sent[i] + lagNs};
        }
        return session.run("udp-" + bytes + "-r" + repeat, "udp", bytes)
                .sent(sent)
                .received(received)
                .clock(SessionFixture.clockOf(0L, ClockBound.Basis.SAME_KERNEL));
    }
}
