package org.lagbench.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.comparison.Comparisons.Limits;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.DecidedObservation;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.ObservedSource;

@Tag("one-java")
class SessionComparisonTest {
    private final SessionFixture before;
    private final SessionFixture after;

    SessionComparisonTest(@TempDir Path directory) throws IOException {
        before = new SessionFixture(directory.resolve("before"));
        after = new SessionFixture(directory.resolve("after"));
    }

    @Test
    void comparesThePointsOfBothSessions() throws Exception {
        for (int repeat = 1; repeat <= 8; repeat++) {
            for (int bytes : new int[] {24, 396, 992}) {
                RequirementTest.run(before, repeat, bytes, 10_000L + 10L * repeat)
                        .write();
            }
            RequirementTest.run(after, repeat, 24, 20_000L + 10L * repeat).write();
            RequirementTest.run(after, repeat, 396, 10_000L + 11L * repeat).write();
            RequirementTest.run(after, repeat, 100, 10_000L).write();
        }
        Comparisons comparison = Comparisons.ofSessions(
                List.of(summary(before)),
                List.of(summary(after)),
                List.of(MainMetrics.LAG, MainMetrics.LOSS),
                new Limits(Between.MARGIN, 0));
        assertThat(comparison.all())
                .filteredOn(each -> each.metric().equals(MainMetrics.LAG))
                .extracting(each ->
                        each.point().packetBytes() + " " + each.verdict().text())
                .containsExactly("396 equivalent", "24 worse");
        assertThat(comparison.all().get(2).ratio().value()).isCloseTo(2, within(.01));
        assertThat(comparison.all().get(1).doubt()).as("no loss has no ratio").isEqualTo(Verdict.Doubt.VALUE);
        assertThat(comparison.all().get(1).difference().value())
                .as("but a difference")
                .isZero();
        assertThat(comparison.all().get(2).difference().value()).isCloseTo(10, within(1e-9));
        assertThat(comparison.onlyInBaseline())
                .extracting(MeasuredPoint::packetBytes)
                .containsExactly(992);
        assertThat(comparison.alone()).extracting(MeasuredPoint::packetBytes).containsExactly(100);
    }

    @Test
    void comparesSessionsBeforeAndAfterAutoWasTheDefault() throws Exception {
        for (int bytes : new int[] {24, 396}) {
            String decision = bytes == 24 ? DecidedObservation.ALL_PACKETS : DecidedObservation.WINDOWS;
            RequirementTest.run(before, 1, bytes, 10_000L).write();
            RequirementTest.run(after, 1, bytes, 10_000L)
                    .observed(ObservedSource.AUTO)
                    .metadata(DecidedObservation.of(decision).metadata(), Map.of())
                    .write();
        }
        Comparisons comparison = Comparisons.ofSessions(
                List.of(summary(before)),
                List.of(summary(after)),
                List.of(MainMetrics.LAG),
                new Limits(Between.MARGIN, 0));
        assertThat(comparison.all())
                .extracting(each -> each.point().packetBytes())
                .containsExactly(396, 24);
        assertThat(comparison.observedDifferently())
                .extracting(MeasuredPoint::packetBytes)
                .containsExactly(24);
        assertThat(Comparisons.ofSessions(
                                List.of(summary(after)),
                                List.of(summary(after)),
                                List.of(MainMetrics.LAG),
                                new Limits(Between.MARGIN, 0))
                        .observedDifferently())
                .isEmpty();
    }

    /** On the busy machine half of the runs are three times as slow, and lose nothing less. */
    @Test
    void spoiledRunsDecideNothing() throws Exception {
        for (int repeat = 1; repeat <= 16; repeat++) {
            boolean isSpoiled = repeat % 2 == 0;
            RequirementTest.run(before, repeat, 24, 10_000L + 10L * repeat).write();
            RequirementTest.run(after, repeat, 24, (isSpoiled ? 30_000L : 10_000L) + 11L * repeat)
                    .machine(SessionFixture.busy(isSpoiled ? 0.5 : 0))
                    .write();
            RequirementTest.run(before, repeat, 396, 10_000).write();
            RequirementTest.run(after, repeat, 396, 30_000)
                    .machine(SessionFixture.busy(0.5))
                    .write();
        }
        List<Comparison> comparisons = Comparisons.ofSessions(
                        List.of(summary(before)),
                        List.of(summary(after)),
                        List.of(MainMetrics.LAG),
                        new Limits(Between.MARGIN, 0))
                .all();
        assertThat(comparisons)
                .extracting(
                        each -> each.point().packetBytes(), Comparison::repeats, Comparison::verdict, Comparison::doubt)
                .containsExactlyInAnyOrder(
                        tuple(24, 8, Verdict.EQUIVALENT, null),
                        tuple(396, 0, Verdict.UNDECIDED, Verdict.Doubt.SPOILED));
    }

    /** R: t.test(log(c(20, 23, 24)), log(c(10, 11, 12)), var.equal = TRUE). */
    @Test
    void comparesSeveralSessionsByStudentsT() throws Exception {
        List<Summary> baseline = sessions("a", 10_000, 11_000, 12_000);
        List<Summary> compared = sessions("b", 20_000, 23_000, 24_000);
        Comparison lag = Comparisons.ofSessions(baseline, compared, List.of(MainMetrics.LAG), new Limits(.05, 0))
                .all()
                .get(0);
        assertThat(lag.ratio().value()).isCloseTo(2.029855, within(1e-6));
        assertThat(lag.ratio().low()).isCloseTo(1.642852, within(1e-5));
        assertThat(lag.ratio().high()).isCloseTo(2.508024, within(1e-5));
        // t.test(c(20, 23, 24), c(10, 11, 12), var.equal = TRUE)
        assertThat(lag.difference().value()).isCloseTo(11.333333, within(1e-5));
        assertThat(lag.difference().low()).isCloseTo(7.631407, within(1e-5));
        assertThat(lag.difference().high()).isCloseTo(15.035260, within(1e-5));
        assertThat(lag.verdict()).isEqualTo(Verdict.WORSE);
        assertThat(lag.repeats()).as("sessions").isEqualTo(6);
        Comparisons many =
                Comparisons.ofSessions(baseline, compared.subList(0, 1), List.of(MainMetrics.LAG), new Limits(.05, 0));
        assertThat(many.isBySession()).isTrue();
        assertThat(many.baseline()).isEqualTo("a0, a1, a2");
        assertThat(many.all().get(0).ratio().hasEnds()).isTrue();
    }

    /** Nothing arrived: that the sides do not differ is no success. */
    @Test
    void isUndecidedIfNeitherSideHasValue() throws Exception {
        lose(before, 6, 20);
        lose(after, 6, 20);
        for (List<Metric<?>> asked : List.of(List.<Metric<?>>of(), List.<Metric<?>>of(MetricRegistry.of("lag.q99")))) {
            assertThat(compare(asked)).singleElement().satisfies(row -> {
                assertThat(row.verdict()).isEqualTo(Verdict.UNDECIDED);
                assertThat(row.doubt()).isEqualTo(Verdict.Doubt.MISSING);
            });
        }
        assertThat(compare(List.of(MetricRegistry.of("failedSends.packets.ENOBUFS"))))
                .as("none of either has no ratio")
                .extracting(Comparison::doubt)
                .containsExactly(Verdict.Doubt.VALUE);
    }

    @Test
    void refusesMetricThatNoPointCanHave() throws Exception {
        lose(before, 1, 0);
        lose(after, 1, 0);
        for (String id : List.of("roundTrip.median", "rate", "throughput.elapsed")) {
            assertThatThrownBy(() -> compare(List.of(MetricRegistry.of(id))))
                    .hasMessageContaining("No point of the sessions can have " + id)
                    .isInstanceOfSatisfying(LagbenchException.class, e -> assertThat(e.exitCode())
                            .isEqualTo(ExitCode.USAGE));
        }
    }

    /** No ratio exists, but the difference is certain. */
    @Test
    void lossAfterNoneIsWorseByDifference() throws Exception {
        lose(before, 6, 0);
        lose(after, 6, 20);
        assertThat(compare(List.of(MainMetrics.LOSS))).singleElement().satisfies(row -> {
            assertThat(row.verdict()).isEqualTo(Verdict.WORSE);
            assertThat(row.doubt()).isNull();
            assertThat(row.difference().low()).isBetween(50.0, 100.0);
            assertThat(row.baseline()).isZero();
            assertThat(row.compared()).isEqualTo(100);
        });
        Comparison back = Comparisons.ofSessions(
                        List.of(summary(after)),
                        List.of(summary(before)),
                        List.of(MainMetrics.LOSS),
                        new Limits(.05, 0))
                .all()
                .get(0);
        assertThat(back.verdict()).isEqualTo(Verdict.BETTER);
    }

    /** A lag of no packet is none, with a ratio or without. */
    @Test
    void sideWithoutArrivalsHasNoValue() throws Exception {
        lose(before, 6, 0);
        lose(after, 6, 20);
        for (String id : List.of("lag.q99", "lag.maximum")) {
            assertThat(compare(List.of(MetricRegistry.of(id)))).singleElement().satisfies(row -> {
                assertThat(row.verdict()).isEqualTo(Verdict.UNDECIDED);
                assertThat(row.doubt()).isEqualTo(Verdict.Doubt.MISSING);
                assertThat(row.emptySides()).containsExactly(Comparison.Side.COMPARED);
            });
        }
    }

    private List<Comparison> compare(List<Metric<?>> asked) throws Exception {
        return Comparisons.ofSessions(
                        List.of(summary(before)), List.of(summary(after)), asked, new Limits(Between.MARGIN, 0))
                .all();
    }

    /** Writes runs of 20 packets of which the last ones are lost. */
    private static void lose(SessionFixture session, int repeats, int lost) throws Exception {
        for (int repeat = 1; repeat <= repeats; repeat++) {
            long[] sent = new long[20];
            long[][] received = new long[20 - lost][];
            for (int i = 0; i < sent.length; i++) {
                sent[i] = i * 1_000L;
                if (i < received.length) {
                    received[i] = new long[] {i, sent[i] + 5_000};
                }
            }
            session.run("udp-24-r" + repeat, "udp", 24)
                    .sent(sent)
                    .received(received)
                    .write();
        }
    }

    private List<Summary> sessions(String name, long... lagsNs) throws Exception {
        List<Summary> sessions = new ArrayList<>();
        for (int i = 0; i < lagsNs.length; i++) {
            SessionFixture session = new SessionFixture(before.path().resolveSibling(name + i));
            for (int repeat = 1; repeat <= 3; repeat++) {
                RequirementTest.run(session, repeat, 24, lagsNs[i]).write();
            }
            sessions.add(summary(session));
        }
        return sessions;
    }

    private static Summary summary(SessionFixture session) throws Exception {
        return Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
    }
}
