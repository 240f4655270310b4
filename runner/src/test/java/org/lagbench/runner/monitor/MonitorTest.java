package org.lagbench.runner.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesFiles;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesStore;

/** Tests the monitor with a clock that only probes and waits advance. */
class MonitorTest {
    private static final long S = 1_000_000_000;
    private static final long START_NS = 1_769_860_800 * S;
    private static final int EVERY_S = 12;

    @TempDir
    Path session;

    private long nowNs = START_NS;
    private boolean isInterrupted;
    private final List<String> made = new ArrayList<>();
    private final StringWriter values = new StringWriter();
    private final StringWriter failures = new StringWriter();

    private final Monitor.WallClock clock = new Monitor.WallClock() {
        @Override
        public long nowNs() {
            return nowNs;
        }

        @Override
        public boolean await(long lengthNs) {
            nowNs += lengthNs;
            return !isInterrupted;
        }
    };

    /** A probe of one series or several, each of whose measurements takes some time. */
    private final class FakeProbe implements Probe {
        private final List<SeriesInfo> series;
        private final LongFunction<Long> durationS;

        FakeProbe(LongFunction<Long> durationS, String... names) {
            this.series = List.of(names).stream()
                    .map(name -> new SeriesInfo(name, name, "ms", EVERY_S * S, SeriesInfo.Domain.ANY, null))
                    .toList();
            this.durationS = durationS;
        }

        @Override
        public List<SeriesInfo> series() {
            return series;
        }

        @Override
        public List<Probe.Measured> measure(long atNs) throws LagbenchException {
            made.add(series.get(0).name() + " at " + (atNs - START_NS) / S);
            long value = (nowNs - START_NS) / S;
            nowNs += durationS.apply(value) * S;
            return series.stream()
                    .map(one -> new Probe.Measured(value, SeriesFiles.SeriesState.OK))
                    .toList();
        }
    }

    private void run(long rounds, Turn... turns) throws LagbenchException {
        List<SeriesInfo> series = List.of(turns).stream()
                .flatMap(turn -> turn.probes().stream())
                .flatMap(probe -> probe.series().stream())
                .toList();
        Monitor.Schedule schedule = new Monitor.Schedule(START_NS, EVERY_S * S, 0, turns.length);
        Monitor.Lines lines = new Monitor.Lines(new PrintWriter(values), new PrintWriter(failures));
        try (SeriesStore store = new SeriesStore(session, series)) {
            new Monitor(schedule, List.of(turns), rounds, store, clock, lines, new ProbeCost()).run();
        }
    }

    @Test
    void printsValuesOfEachTurnInOneLine() throws LagbenchException {
        run(2, turn(new FakeProbe(round -> 1L, "tcp"), new FakeProbe(round -> 1L, "udp.lag", "udp.loss")));
        assertThat(values.toString().lines())
                .containsExactly(
                        "2026-01-31T12:00:00Z  tcp 0.00 ms, udp.lag 1.00 ms, udp.loss 1.00 ms",
                        "2026-01-31T12:00:12Z  udp.lag 12.0 ms, udp.loss 12.0 ms, tcp 13.0 ms");
    }

    private static Turn turn(Probe... probes) {
        return new Turn(List.of(probes));
    }

    /** Returns the records of a series: seconds after the start, value, state. */
    private List<String> records(String series) throws LagbenchException {
        List<String> records = new ArrayList<>();
        SeriesFiles.read(
                session,
                series,
                0,
                Long.MAX_VALUE,
                (atNs, value, state) ->
                        records.add((atNs - START_NS) / S + ": " + (Double.isNaN(value) ? "-" : value) + " " + state));
        return records;
    }

    @Test
    void recordsAtMultiplesOfInterval() throws Exception {
        run(3, turn(new FakeProbe(now -> 5L, "rtt")));

        assertThat(records("rtt")).containsExactly("0: 0.0 0", "12: 12.0 0", "24: 24.0 0");
    }

    @Test
    void recordsMissedTurnsOfSlowProbe() throws Exception {
        run(5, turn(new FakeProbe(now -> now == 12 ? 30L : 1L, "rtt")));

        assertThat(records("rtt")).containsExactly("0: 0.0 0", "12: 12.0 0", "24: - -1", "36: 42.0 0", "48: 48.0 0");
    }

    @Test
    void endsAtInterruptDuringMissedTurns() throws Exception {
        nowNs += 1_000 * EVERY_S * S;
        isInterrupted = true;

        run(1_000, turn(new FakeProbe(now -> 1L, "rtt")));

        assertThat(records("rtt")).isEmpty();
    }

    @Test
    void probesOfDifferentTurnsNeverOverlap() throws Exception {
        run(2, turn(new FakeProbe(now -> 7L, "a")), turn(new FakeProbe(now -> 1L, "b")));

        assertThat(made).containsExactly("a at 0", "b at 6", "a at 12", "b at 18");
        assertThat(records("b")).containsExactly("6: 7.0 0", "18: 19.0 0");
    }

    /** Each probe takes as long as a round. */
    @Test
    void makesAllProbesEquallyOftenUnderOverload() throws Exception {
        run(
                30,
                turn(new FakeProbe(now -> 12L, "a")),
                turn(new FakeProbe(now -> 12L, "b")),
                turn(new FakeProbe(now -> 12L, "c")));

        for (String name : List.of("a", "b", "c")) {
            assertThat(made.stream().filter(one -> one.startsWith(name)))
                    .as(made.toString())
                    .hasSizeBetween(7, 8);
        }
    }

    @Test
    void swapsProbesOfTurn() throws Exception {
        run(2, turn(new FakeProbe(now -> 1L, "c"), new FakeProbe(now -> 1L, "java")));

        assertThat(made).containsExactly("c at 0", "java at 0", "java at 12", "c at 12");
        assertThat(records("c")).containsExactly("0: 0.0 0", "12: 13.0 0");
    }

    @Test
    void marksGapAfterRestart() throws Exception {
        run(2, turn(new FakeProbe(now -> 1L, "rtt")));
        nowNs = START_NS + 61 * S;

        run(7, turn(new FakeProbe(now -> 1L, "rtt")));

        assertThat(records("rtt"))
                .containsExactly(
                        "0: 0.0 0", "12: 12.0 0", "24: - -1", "36: - -1", "48: - -1", "60: 61.0 0", "72: 72.0 0");
    }

    /** A killed monitor may have recorded only the first series of a probe. */
    @Test
    void recordsNoExtraValueAfterKill() throws Exception {
        run(1, turn(new FakeProbe(now -> 1L, "lag")));
        nowNs = START_NS + 2 * S;

        run(2, turn(new FakeProbe(now -> 1L, "lag", "loss")));

        assertThat(records("lag")).containsExactly("0: 0.0 0", "12: 12.0 0");
        assertThat(records("loss")).containsExactly("0: - -1", "12: 12.0 0");
        assertThat(made).containsExactly("lag at 0", "lag at 12");
    }

    /** After the clock is set back, the series already have records for the times that come again. */
    @Test
    void continuesWhenSetBackClockHasCaughtUp() throws Exception {
        run(4, turn(new FakeProbe(now -> now == 12 ? -600L : 1L, "rtt")));

        assertThat(records("rtt")).containsExactly("0: 0.0 0", "12: 12.0 0", "24: 24.0 0", "36: 36.0 0");
        assertThat(failures.toString())
                .hasLineCount(1)
                .endsWith(" clock: it was set back; the series continue at " + Instant.ofEpochSecond(START_NS / S + 24)
                        + ".\n");
    }

    /** The receiver's own interruption does not end the monitor. */
    @ParameterizedTest
    @EnumSource(names = {"PEER", "INTERRUPTED"})
    void recordsWhyProbeFailed(ExitCode why) throws Exception {
        run(2, turn(new FakeProbe(now -> now == 0 ? fail(why) : 1L, "rtt")));

        assertThat(records("rtt")).containsExactly("0: - " + why.code(), "12: 12.0 0");
    }

    @Test
    void endsWhenInterruptedDuringProbe() throws Exception {
        run(
                2,
                turn(new FakeProbe(
                        now -> {
                            isInterrupted = true;
                            return fail(ExitCode.INTERRUPTED);
                        },
                        "rtt")));

        assertThat(made).hasSize(1);
        assertThat(records("rtt")).isEmpty();
    }

    private static Long fail(ExitCode why) {
        throw sneaky(new LagbenchException(why, "Fails."));
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> RuntimeException sneaky(Exception failure) throws E {
        throw (E) failure;
    }

    @Test
    void endsWhenInterrupted() throws Exception {
        run(
                Long.MAX_VALUE,
                turn(new FakeProbe(
                        now -> {
                            isInterrupted = now == 24;
                            return 1L;
                        },
                        "rtt")));

        assertThat(records("rtt")).hasSize(3);
    }

    @Test
    void recordsOneValueForEachTime() throws Exception {
        SeriesInfo info = new SeriesInfo("rtt", "rtt", "ms", S, SeriesInfo.Domain.ANY, null);
        try (SeriesStore store = new SeriesStore(session, List.of(info))) {
            store.record(info, START_NS, 1, SeriesFiles.SeriesState.OK);
            store.record(info, START_NS, 2, SeriesFiles.SeriesState.OK); // START_NS has a record already
        }

        assertThat(records("rtt")).containsExactly("0: 1.0 0");
    }
}
