package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import tools.jackson.databind.JsonNode;

/** Makes sweeps with several axes, and rejects invalid values. */
@Tag("one-java")
@Execution(ExecutionMode.CONCURRENT)
class SweepAxesTest {
    private final Path directory;
    private final Sweeps sweeps;

    SweepAxesTest(@TempDir Path directory) {
        this.directory = directory;
        this.sweeps = new Sweeps(directory);
    }

    @Test
    void passesValidJvmOptionsAndSkipsOthers() throws Exception {
        try (LagbenchThread sweep = sweeps.startHere(
                Sweeps.TINY,
                "--no-report",
                "--allow-jvm-options",
                "--set=transports=udp",
                "--set=repeats=2",
                "--set=jvm=[-XX:+UseSerialGC -Xlog:gc, -XX:+UseNoSuchThing, -Xmx1k, -Xmx4m]")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(sweep.err())
                    .containsOnlyOnce("Unrecognized VM option 'UseNoSuchThing'")
                    .containsOnlyOnce("All further runs with jvm: -XX:+UseNoSuchThing are left out.")
                    .containsOnlyOnce("Too small maximum heap")
                    .containsOnlyOnce("All further runs with jvm: -Xmx1k are left out.")
                    .containsOnlyOnce("too little memory")
                    .containsOnlyOnce("All further runs with jvm: -Xmx4m are left out.")
                    .doesNotContain("\tat ");
        }
        List<String> options = new ArrayList<>();
        for (Path run : Sweeps.complete(sweeps.session())) {
            options.add(RunRecord.read(run).point().program().jvmOptions().text());
        }
        assertThat(options).containsExactly("-XX:+UseSerialGC -Xlog:gc", "-XX:+UseSerialGC -Xlog:gc");
    }

    @Test
    void comparesEnginesAndPrintsEvents() throws Exception {
        try (LagbenchProcess sweep = sweeps.start(
                Sweeps.TINY,
                "--no-report",
                "--json-stream",
                "--set",
                "transports=udp",
                "--set",
                "engine=[java, c]",
                "--set",
                "machine.max-other-load=100%")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertEventsAgreeWithRecords(sweep.out().lines().toList());
            assertThat(CommandResult.of("table", sweeps.session().toString()).out())
                    .containsPattern("(100|engine) +java\\b") // in a column, or in the heading of the rows
                    .containsPattern("(100|engine) +c\\b");
            assertEnginesAreCompared(sweeps.session().toString());
            List<Path> runs = Sweeps.runs(sweeps.session());
            assertThat(runs).hasSize(2).allSatisfy(run -> {
                RunRecord record = RunRecord.read(run);
                assertThat(record.state()).isEqualTo(RunRecord.State.COMPLETE);
                assertThat(record.counts().distinct()).isEqualTo(200);
                assertThat(record.sender().metadata()).containsKey("packetThreadCpuNs");
                assertThat(record.receiver().metadata()).containsKey("packetThreadCpuNs");
            });
        }
    }

    /** The engine c has no JVM options, the others have. */
    private static void assertEnginesAreCompared(String session) throws Exception {
        CommandResult compare =
                CommandResult.of("table", session, "--view", "compare", "--between", "engine", "--baseline", "java");
        assertThat(compare.exitCode()).as(compare.err()).isZero();
        assertThat(compare.out())
                .contains("Transmit lag, compared with engine java", "There is no interval")
                .containsPattern("(?m)^ +100 +c +Median +undecided \\(few repeats\\) ")
                .containsPattern("(?m)^ +100 +c +Q99 +undecided \\(few repeats\\) ");
        CommandResult unknown = CommandResult.of("table", session, "--view", "compare", "--between", "enigne");
        assertThat(unknown.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(unknown.err())
                .contains("This session has no axis enigne.", "engine (java, c)")
                .doesNotContain("\tat ");
        assertThat(CommandResult.of("table", session, "--view", "compare").err())
                .contains("--view compare needs --between AXIS");
    }

    /** netty's libraries are installed, grpc's are not. */
    @Test
    void skipsUnavailableEnginesIfRequested() throws Exception {
        Path libraries = Files.createDirectory(directory.resolve("libraries"));
        Path netty = Path.of("").toAbsolutePath().resolveSibling("engines/target/libraries/netty");
        Files.createSymbolicLink(libraries.resolve("netty"), netty);
        String[] axes = {"transports=tcp", "engine=[rmi, netty, grpc]", "netty.io=epoll"};
        List<String> options = List.of("-Dlagbench.engines=" + libraries);
        String reason =
                "engine: grpc is not available: its libraries are missing: there is no " + libraries.resolve("grpc");
        try (LagbenchProcess sweep = sweeps.startSetting(options, Sweeps.TINY, axes)) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(sweep.err()).contains(reason);
        }
        try (LagbenchProcess sweep = sweeps.start(
                options,
                Sweeps.TINY,
                "--no-report",
                "--skip-unavailable",
                "--set",
                axes[0],
                "--set",
                axes[1],
                "--set",
                axes[2])) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out().replaceAll("\\s+", " "))
                    .contains("rmi", "netty")
                    .containsPattern("Excluded: 000\\d-tcp-100-r1, broke off: " + Pattern.quote(reason));
            assertThat(Sweeps.complete(sweeps.session())).hasSize(2).allSatisfy(run -> assertThat(
                            RunRecord.read(run).counts().distinct())
                    .isEqualTo(200));
        }
    }

    private void assertEventsAgreeWithRecords(List<String> lines) throws Exception {
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(getClass().getResourceAsStream("/org/lagbench/report/stream.schema.json"));
        assertThat(lines).allSatisfy(line -> assertThat(schema.validate(line, InputFormat.JSON))
                .as(line)
                .isEmpty());
        List<JsonNode> events = lines.stream().map(Sweeps::json).toList();
        assertThat(events.get(0).at("/data/session").asString())
                .endsWith(sweeps.session().getFileName().toString());
        assertThat(lines).last().isEqualTo("{\"event\":\"end\",\"data\":{\"exitCode\":0,\"complete\":2,\"runs\":2}}");
        for (Path run : Sweeps.runs(sweeps.session())) {
            RunRecord.Counts counts = RunRecord.read(run).counts();
            List<JsonNode> ofRun = events.stream()
                    .filter(event -> event.at("/data/run")
                            .asString("")
                            .equals(run.getFileName().toString()))
                    .toList();
            assertThat(ofRun).extracting(event -> event.get("event").asString()).startsWith("run-start", "interval");
            assertThat(ofRun).extracting(event -> event.get("event").asString()).endsWith("run-end", "metrics");
            assertThat(sum(ofRun, "metrics/packets.sent")).isEqualTo(200);
            assertThat(sum(ofRun, "expected")).isEqualTo(200);
            assertThat(sum(ofRun, "metrics/packets.received")).isEqualTo(counts.received());
            assertThat(sum(ofRun, "metrics/packets.lost") - sum(ofRun, "late")).isEqualTo(200 - counts.distinct());
            assertThat(sum(ofRun, "metrics/lag.count")).isEqualTo(counts.received());
        }
    }

    /** Returns the sum of a count over all intervals. */
    private static long sum(List<JsonNode> events, String count) {
        return events.stream()
                .filter(event -> event.get("event").asString().equals("interval"))
                .mapToLong(event -> event.at("/data/" + count).asLong())
                .sum();
    }

    @Test
    void measuresRoundTrips() throws Exception {
        try (LagbenchThread sweep = sweeps.startHereSetting(
                Sweeps.TINY.replace("interval: 1ms", "interval: 200us"),
                "traffic=round-trip",
                "transports=udp",
                "packet-bytes=24")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).contains("Round trip", "Forward", "reply-timeout");
        }
        Path session = sweeps.session();
        assertThat(Sweeps.complete(session)).hasSize(1).allSatisfy(run -> {
            assertThat(run.getFileName().toString()).contains("-24-round-trip-r1");
            assertThat(RunRecord.read(run).sender().metadata().get("repliesReceived"))
                    .hasToString("200");
        });
        assertThat(CommandResult.of("verify", session.toString()).exitCode()).isZero();
        JsonNode summary =
                Sweeps.json(CommandResult.of("table", session.toString(), "--view", "round-trip", "--format", "json")
                        .out());
        assertThat(summary.get("points").valueStream().toList()).hasSize(1).allSatisfy(point -> {
            JsonNode metrics = point.get("metrics");
            assertThat(metrics.get("roundTrips.lost").asLong()).isZero();
            assertThat(metrics.get("roundTrip.count").asLong()).isEqualTo(200);
            double partsUs = Stream.of("lag.mean", "hostTime.mean", "lagBack.mean")
                    .mapToDouble(id -> metrics.get(id).asDouble())
                    .sum();
            assertThat(metrics.get("roundTrip.mean").asDouble()).isCloseTo(partsUs, offset(0.01));
        });
        assertThat(CommandResult.of("export", session.toString(), "--format", "csv")
                        .exitCode())
                .isZero();
        Path exported =
                session.resolve("export").resolve(Sweeps.runs(session).get(0).getFileName() + ".csv");
        assertThat(Files.readString(exported))
                .startsWith("seq,scheduled_ns,sent_ns,returned_ns,received_ns,lag_ns,copy,kernel_ns,"
                        + "replied_ns,bus_cycle,answered_ns,round_trip_ns,");
    }

    @Test
    void rejectsEngineWithoutBusSupport() throws Exception {
        Path file = Files.writeString(directory.resolve("experiment.yaml"), Sweeps.TINY);
        Path results = directory.resolve("results");
        CommandResult sweep = CommandResult.of(
                "sweep",
                file.toString(),
                "--output",
                results.toString(),
                "--set",
                "engine=[java, c]",
                "--set",
                "transports=ieee1394");
        assertThat(sweep.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(sweep.err()).contains("--set").contains("use engine: java.").doesNotContain("\tat ");
        assertThat(results).doesNotExist();
    }

    @Test
    void sweepsBuffersReportsLimitsAndRecordsBusCycles() throws Exception {
        try (LagbenchThread sweep = sweeps.startHereSetting(
                Sweeps.TINY.replace("observe: none", "observe: timestamping"),
                "transports=[udp, ieee1394]",
                "udp.receive-buffer=1GiB",
                "ieee1394.queue-packets=[2, 16]",
                "ieee1394.interrupt-interval=4")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(Sweeps.complete(sweeps.session())).hasSize(3);
            long limit = Long.parseLong(
                    Files.readString(Path.of("/proc/sys/net/core/rmem_max")).strip());
            if (limit < 1L << 30) {
                assertThat(sweep.err())
                        .containsOnlyOnce(
                                "udp.receive-buffer: 1073741824 bytes exceed the limit of this machine, which is "
                                        + limit)
                        .contains("sudo sysctl -w net.core.rmem_max=1073741824");
                assertThat(sweep.out().replaceAll("\\s+", " "))
                        .contains(
                                "! receive-buffer: 1073741824 bytes were requested",
                                "sudo sysctl -w net.core.rmem_max=1073741824");
            }
        }
        assertBusCyclesAreRecorded();
    }

    /** Checks the runs with the default queue. */
    private void assertBusCyclesAreRecorded() throws Exception {
        JsonNode environment = Sweeps.json(Files.readString(sweeps.session().resolve("environment.json")));
        assertThat(environment.get("bus").asString()).isEqualTo("virtual");
        int checked = 0;
        for (Path run : Sweeps.complete(sweeps.session())) {
            RunRecord record = RunRecord.read(run);
            if (record.point().transport().equals("ieee1394")
                    && String.valueOf(record.point().allSettings().asMap().get("queue-packets"))
                            .equals("16")) {
                assertThat(record.counts().distinct()).isEqualTo(200);
                assertCyclesAreBetweenSendingAndReceiving(run);
                checked++;
            }
        }
        assertThat(checked).isEqualTo(1);
    }

    /** Compares with the recorded bus clock. The tolerance of a cycle is larger than the slew of the clocks. */
    private static void assertCyclesAreBetweenSendingAndReceiving(Path run) throws LagbenchException {
        long cycleNs = 125_000;
        long turnNs = 128_000_000_000L;
        try (CaptureReader sender = CaptureReader.open(run.resolve(SenderCapture.FILE_NAME));
                CaptureReader receiver = CaptureReader.open(run.resolve(ReceiverCapture.FILE_NAME));
                CaptureReader clocks = CaptureReader.open(run.resolve("sender-cycles.npy"))) {
            long atNs = clocks.value(0, clocks.field("at_ns"));
            long busNs = clocks.value(0, clocks.field("bus_ns"));
            long before = -1;
            for (int i = 0; i < 200; i++) {
                long sentNs = sender.value(i, sender.field("sent_ns"));
                long cycle = sender.value(i, sender.field("bus_cycle"));
                assertThat(receiver.value(i, receiver.field("bus_cycle"))).isEqualTo(cycle);
                assertThat(cycle).isNotEqualTo(before);
                before = cycle;
                long queuedNs =
                        Math.floorMod(cycle * cycleNs - busNs - (sentNs - atNs) + turnNs / 2, turnNs) - turnNs / 2;
                assertThat(queuedNs).as("from sent to its cycle").isGreaterThan(-cycleNs);
                assertThat(receiver.value(i, receiver.field("received_ns")) - sentNs)
                        .as("lag")
                        .isGreaterThan(queuedNs - cycleNs);
            }
        }
    }

    @Test
    void setsCongestionControl() throws Exception {
        // every kernel has reno
        try (LagbenchThread sweep =
                sweeps.startHereSetting(Sweeps.TINY, "transports=tcp", "tcp.congestion-control=reno")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(Sweeps.complete(sweeps.session())).hasSize(1).allSatisfy(run -> {
                RunRecord record = RunRecord.read(run);
                assertThat(record.point().allSettings().asMap()).containsEntry("congestion-control", "reno");
                assertThat(record.sender().metadata()).containsEntry("congestionControl", "reno");
            });
        }
        try (LagbenchThread sweep = sweeps.startHereSetting(
                Sweeps.TINY, "name=none", "transports=tcp", "engine=c", "tcp.congestion-control=no-such")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(sweep.err())
                    .contains("tcp.congestion-control", "\"no-such\"", "modprobe", "It offers ", "reno")
                    .doesNotContain("\tat ");
        }
    }
}
