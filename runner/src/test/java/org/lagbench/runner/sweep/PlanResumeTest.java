package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.report.table.TableFormat;
import org.lagbench.runner.capacity.UdpTrains;

/**
 * Resumes plans in sessions with simulated runs, as after kills, and compares the decisions with those without kills.
 */
class PlanResumeTest {
    private static final Duration RUN = Duration.ofSeconds(2);
    private static final int PACKETS = 5;
    private static final long SEED = 7;
    private static final long TRAINS_BYTES = 20_000_000;

    /** How long a simulated link of 20 Mbit/s takes for a packet of a train with its headers. */
    private static final long LINK_NS = 8L * 1_228 * 1_000 / 20;

    @TempDir
    private Path directory;

    private Instant now = Instant.parse("2026-11-20T00:00:00Z");

    /** The process is killed in each run of each phase, and resumed an hour later. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "budget: 60s     | coarse grid, refinement 1, confirming",
                "budget: 30 runs | coarse grid, refinement 1, confirming",
                "budget: 60s, objective: receive-buffer, require: [lag.median <= 1 s] | bisection"
            })
    void searchDecidesTheSameAfterKills(String goal, String phases) throws Exception {
        Experiment experiment = search(goal);
        List<RunGroup> decisions = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        SearchPlan whole = new SearchPlan(experiment, SEED, note -> {});
        try (SessionDirectory session = SessionDirectory.createIn(directory.resolve("whole"), experiment)) {
            begin(session);
            RunTable table = RunTable.of(session);
            for (Plan.Next next = whole.next(table); !next.groups().isEmpty(); next = whole.next(table)) {
                RunGroup run = next.groups().get(0);
                decisions.add(run);
                complete(session, run);
                table.add(run, ExitCode.OK);
                notes.addAll(next.notes());
            }
        }
        assertThat(decisions).hasSizeBetween(10, 30);
        assertThat(String.join("\n", notes)).contains(phases.split(", "));

        try (SessionDirectory session = SessionDirectory.createIn(directory.resolve("killed"), experiment)) {
            for (RunGroup decided : decisions) {
                begin(session);
                RunGroup killed = next(experiment, session);
                write(session, killed, RunRecord.State.RUNNING);
                now = now.plus(Duration.ofHours(1));

                begin(session);
                RunGroup resumed = next(experiment, session);
                assertThat(resumed).isEqualTo(killed).isEqualTo(decided);
                complete(session, resumed);
            }
            SearchPlan last = new SearchPlan(experiment, SEED, note -> {});
            assertThat(last.next(RunTable.of(session)).groups()).isEmpty();
            assertThat(last.report().text()).isEqualTo(whole.report().text());
        }
    }

    /** Each train is killed, and the session resumed. Its link is simulated: a queue grows while a train is faster. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void trainsDecideTheSameAfterKills(boolean isCapacity) throws Exception {
        List<String> values = new ArrayList<>(UdpTrains.values());
        values.add("seed=" + SEED);
        Experiment experiment = new ExperimentReader(Transports.load(), Engines.load()).build("trains", values);
        List<String> results = new ArrayList<>();
        for (boolean isKilled : new boolean[] {false, true}) {
            try (SessionDirectory session =
                    SessionDirectory.createIn(directory.resolve("killed-" + isKilled), experiment)) {
                UdpTrains plan = new UdpTrains(session, isCapacity, TRAINS_BYTES);
                RunTable table = RunTable.of(session);
                for (Plan.Next next = plan.next(table); !next.groups().isEmpty(); next = plan.next(table)) {
                    RunGroup run = next.groups().get(0);
                    if (isKilled) {
                        write(session, run, RunRecord.State.RUNNING);
                        plan = new UdpTrains(session, isCapacity, TRAINS_BYTES);
                        table = RunTable.of(session);
                        assertThat(plan.next(table).groups()).containsExactly(run);
                    }
                    complete(session, run);
                    table.add(run, ExitCode.OK);
                }
                assertThat(plan.extent(table).isOver()).isTrue();
                results.add(plan.result().text(TableFormat.TEXT));
            }
        }
        assertThat(results.get(1)).isEqualTo(results.get(0)).containsPattern("is (19|20)\\.[0-9]* Mbit/s");
    }

    @Test
    void searchWithLargerBudgetMakesNoRunAgain() throws Exception {
        try (SessionDirectory session =
                SessionDirectory.createIn(directory.resolve("larger"), search("budget: 12 runs"))) {
            List<String> first = finish(search("budget: 12 runs"), session);
            assertThat(first).hasSize(12);
            assertThat(finish(search("budget: 30 runs"), session))
                    .doesNotContainAnyElementsOf(first)
                    .hasSizeBetween(18, 30);
        }
    }

    @Test
    void searchTriesABrokenRunThreeTimes() throws Exception {
        Experiment experiment = search("budget: 30 runs");
        try (SessionDirectory session = SessionDirectory.createIn(directory.resolve("broken"), experiment)) {
            RunTable table = RunTable.of(session);
            SearchPlan plan = new SearchPlan(experiment, SEED, note -> {});
            RunGroup run = plan.next(table).groups().get(0);
            for (int attempt = 1; attempt <= 3; attempt++) {
                assertThat(plan.next(table).groups()).containsExactly(run);
                table.add(run, ExitCode.BROKEN);
            }
            assertThat(plan.next(table).groups()).isEmpty();
            assertThat(plan.extent(table).isOver()).isFalse();
        }
    }

    @Test
    void gridMakesTheMissingRunsInTheSameOrder() throws Exception {
        Experiment experiment = experiment("transports=[tcp, udp]", "repeats=3");
        List<RunGroup> all = experiment.groups(SEED);
        try (SessionDirectory session = SessionDirectory.createIn(directory.resolve("grid"), experiment)) {
            for (int made = 0; made < all.size(); made++) {
                write(session, all.get(made), RunRecord.State.RUNNING);
                GridPlan plan = new GridPlan(experiment.groups(SEED));
                RunTable table = RunTable.of(session);
                assertThat(plan.next(table).groups()).isEqualTo(all.subList(made, all.size()));
                assertThat(plan.extent(table)).isEqualTo(new Plan.Extent(made, 6, false, "sweep"));
                complete(session, all.get(made));
            }
        }
    }

    private static Experiment search(String goal) throws LagbenchException {
        return experiment("transports=udp", "tune={" + goal + ", knobs: {receive-buffer: {from: 4KiB, to: 64KiB}}}");
    }

    private static Experiment experiment(String... values) throws LagbenchException {
        List<String> all = new ArrayList<>(List.of(values));
        all.addAll(List.of("packet-bytes=100", "packets=" + PACKETS, "observe=none", "seed=" + SEED));
        return new ExperimentReader(Transports.load(), Engines.load()).build("resumed", all);
    }

    private static RunGroup next(Experiment experiment, SessionDirectory session) throws LagbenchException {
        List<RunGroup> next = new SearchPlan(experiment, SEED, note -> {})
                .next(RunTable.of(session))
                .groups();
        assertThat(next).hasSize(1);
        return next.get(0);
    }

    /** Executes the runs that a session does not have, and returns their names. */
    private List<String> finish(Experiment experiment, SessionDirectory session) throws Exception {
        begin(session);
        List<String> made = new ArrayList<>();
        RunTable table = RunTable.of(session);
        SearchPlan plan = new SearchPlan(experiment, SEED, note -> {});
        for (Plan.Next next = plan.next(table); !next.groups().isEmpty(); next = plan.next(table)) {
            RunGroup run = next.groups().get(0);
            complete(session, run);
            table.add(run, ExitCode.OK);
            made.add(run.name());
        }
        return made;
    }

    private void begin(SessionDirectory session) throws IOException {
        Files.writeString(
                session.newEnvironmentFile(),
                "{\"format\": \"lagbench-environment-1\", \"startedAt\": \"%s\"}".formatted(now));
    }

    private void complete(SessionDirectory session, RunGroup run) throws Exception {
        now = now.plus(RUN);
        write(session, run, RunRecord.State.COMPLETE);
    }

    /** Writes a train, or a run whose lag grows with the buffer, and varies with the repeat. */
    private void write(SessionDirectory session, RunGroup group, RunRecord.State state) throws Exception {
        RunSpec run = group.runs().get(0);
        session.setAside(run.name());
        Path files = Files.createDirectories(session.runs().resolve(run.name()));
        long bytes = run.point().allSettings().asMap().get("receive-buffer") instanceof Long set ? set : 200_000;
        long startNs = now.getEpochSecond() * 1_000_000_000L;
        Random random = new Random(31 * bytes + run.repeat());
        long packets = run.point().packets();
        boolean isTrain = packets > PACKETS;
        long freeNs = 0;
        try (SenderCapture sent = SenderCapture.create(files.resolve(SenderCapture.FILE_NAME), packets, false);
                ReceiverCapture received =
                        ReceiverCapture.create(files.resolve(ReceiverCapture.FILE_NAME), packets, false)) {
            for (int i = 0; i < packets; i++) {
                long sentNs = startNs + i * (isTrain ? run.point().pace().intervalNs() : 10_000_000L);
                freeNs = Math.max(freeNs, sentNs) + LINK_NS;
                sent.append(i, isTrain ? sentNs : SenderCapture.UNSCHEDULED, sentNs, sentNs + 1);
                received.append(
                        i,
                        isTrain ? freeNs : sentNs + 1_000_000 + Math.round(20 * bytes * (1 + random.nextDouble())),
                        0);
            }
        }
        ClockHistory clock = new ClockHistory(List.of(), List.of());
        RunRecord.Side side = new RunRecord.Side("here", "boot", "17", Map.of("remoteAddress", "127.0.0.1:4711"));
        new RunRecord(
                        run,
                        "UDP/IP",
                        state,
                        null,
                        now,
                        now,
                        side,
                        side,
                        new RunRecord.Counts(packets, 0, 0, 0, 0, 0, 0, null),
                        new RunRecord.Clock(
                                1L, ClockBound.Basis.SAME_KERNEL, false, List.of(), clock, clock, List.of()),
                        null,
                        null)
                .write(files);
    }
}
