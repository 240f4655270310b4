package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;
import org.lagbench.core.run.StreamRole;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whole sweeps: lagbench, sender and receiver as processes of their own, packets over loopback. */
class SweepTest {
    private static final String TINY =
            """
            name: tiny
            observe: nothing
            transports: [tcp, udp]
            packet-bytes: 100
            packets: 200
            warm-up-packets: 50
            pace: {mode: sleep, interval: 1ms}
            drain: 100ms
            """;

    /** One run of 40 s, for those who cut it short. */
    private static final String LONG =
            """
            name: long
            transports: [udp]
            packet-bytes: 100
            packets: 40000
            warm-up-packets: 50
            pace: {mode: sleep, interval: 1ms}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void printsTheTableAndKeepsEverything() throws Exception {
        try (LagbenchProcess sweep = sweep(TINY)) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            Path session = session();

            assertThat(sweep.out())
                    .contains("TCP")
                    .contains("UDP")
                    .contains(session.getFileName().toString());
            assertThat(sweep.err()).contains("run 1 of 2").contains("run 2 of 2");
            assertThat(runs(session)).hasSize(2).allSatisfy(run -> {
                assertThat(run).isDirectoryContaining("glob:**/sender.npy");
                assertThat(run).isDirectoryContaining("glob:**/receiver.npy");
                assertThat(RunRecordFile.read(run).state()).isEqualTo(RunRecord.State.COMPLETE);
            });
            assertThat(session.resolve("summary.json")).exists();
            assertThat(session.resolve("summary.csv")).exists();
            assertThat(session.resolve("report.html"))
                    .content()
                    .contains("<title>" + session.getFileName() + " – lagbench");
            assertThat(session.resolve("experiment.yaml")).content().containsPattern("(?m)^seed: \\d+$");
            JsonNode environment = json(Files.readString(session.resolve("environment.json")));
            assertThat(environment.get("kernel").asString()).startsWith("Linux ");
            assertThat(environment.get("sysctls").get("net.core.rmem_max").asString())
                    .matches("\\d+");
            assertThat(environment.get("endedAt").asString()).isNotEmpty();
            assertThat(session.resolve("logs")).doesNotExist();
        }
    }

    @Test
    void printsTheSummaryAsJsonAndNothingElse() throws Exception {
        try (LagbenchProcess sweep = sweep(TINY, "--json", "--no-report", "--set", "transports=[tcp]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(session().resolve("report.html")).doesNotExist();
            assertThat(json(sweep.out()))
                    .isEqualTo(json(Files.readString(session().resolve("summary.json"))));
            assertThat(sweep.err()).contains("run 1 of 1");
        }
    }

    @Test
    void saysNothingWhenQuietAndAllIsWell() throws Exception {
        try (LagbenchProcess sweep = sweep(TINY, "--quiet", "--set", "transports=[tcp]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).isEmpty();
            assertThat(sweep.err()).isEmpty();
        }
    }

    @Test
    void drawsABarWithTheTimeLeftOnATerminal() throws Exception {
        Files.writeString(directory.resolve("experiment.yaml"), TINY);
        try (LagbenchProcess sweep = LagbenchProcess.startOnTerminal(directory, "sweep", "experiment.yaml")) {
            assertThat(sweep.exitCode()).as(sweep.out()).isZero();
            assertThat(sweep.out())
                    .containsPattern("\\rruns +0% \\[ +\\] 0/2 \\(0:00:\\d\\d / 0:00:\\d\\d\\) +0001-(tcp|udp)-100-r1")
                    .containsPattern("\\rruns +100% \\[=+\\] 2/2")
                    .contains("Transmit lag")
                    .doesNotContain("run 1 of 2");
        }
    }

    @Test
    void showsOnATerminalHowManyPacketsOfTheRunHaveBeenSent() throws Exception {
        Files.writeString(directory.resolve("experiment.yaml"), LONG);
        try (LagbenchProcess sweep = LagbenchProcess.startOnTerminal(directory, "sweep", "experiment.yaml")) {
            sweep.awaitOut("0001-udp-100-r1 [1-9]\\d*/40000 [1-9]\\d*/s");
        }
    }

    @Test
    void makesTheSameTableAgainFromTheCaptures() throws Exception {
        String shown;
        try (LagbenchProcess sweep = sweep(TINY)) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            shown = sweep.out();
        }
        Path session = session();
        String csv = Files.readString(session.resolve("summary.csv"));
        Files.delete(session.resolve("summary.csv"));
        Files.delete(session.resolve("summary.json"));
        try (LagbenchProcess table = LagbenchProcess.run(directory, "table", session.toString(), "--write")) {
            assertThat(table.exitCode()).as(table.err()).isZero();
            assertThat(shown).startsWith(table.out()).endsWith(session.getFileName() + System.lineSeparator());
            assertThat(session.resolve("summary.csv")).hasContent(csv);
        }
        try (LagbenchProcess table = LagbenchProcess.run(directory, "table", session.toString(), "--format", "csv")) {
            assertThat(table.out()).isEqualTo(csv);
        }
        try (LagbenchProcess table =
                LagbenchProcess.run(directory, "table", session.toString(), "--clock", "corrected")) {
            assertThat(table.exitCode()).as(table.err()).isZero();
            assertThat(table.out())
                    .contains("There is nothing to correct: both sides of every run were on one kernel")
                    .contains(" raw ")
                    .doesNotContain(" hull ");
        }
    }

    @Test
    void leavesOutATransportThatThisMachineLacks() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        try (LagbenchProcess sweep = sweep(
                List.of("-Dlagbench.native=" + empty),
                TINY,
                "--set",
                "transports=[ieee1394,udp]",
                "--set",
                "repeats=2")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(sweep.err()).containsOnlyOnce("All further runs over ieee1394 are left out.");
            assertThat(complete(session())).hasSize(2).allSatisfy(run -> assertThat(run.toString())
                    .contains("udp"));
            assertThat(sweep.out()).contains("UDP").doesNotContain("1394");
        }
    }

    @Test
    void givesBothJvmsTheOptionsOfThePointAndTellsThePointsApart() throws Exception {
        try (LagbenchProcess sweep =
                sweep(TINY, "--set", "transports=udp", "--set", "jvm=[default, -XX:+UseSerialGC -Xlog:gc]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).containsPattern("(?s)JVM.*default.*-XX:\\+UseSerialGC -Xlog:gc");
            assertThat(runs(session())).hasSize(2);
            assertThat(List.of(
                            RunRecordFile.read(runs(session()).get(0)).jvm(),
                            RunRecordFile.read(runs(session()).get(1)).jvm()))
                    .containsExactlyInAnyOrder("default", "-XX:+UseSerialGC -Xlog:gc");
        }
    }

    @Test
    void namesTheOptionThatAJvmDoesNotTakeAndGoesOnWithTheOthers() throws Exception {
        try (LagbenchProcess sweep = sweep(
                TINY,
                "--set",
                "transports=udp",
                "--set",
                "repeats=2",
                "--set",
                "jvm=[default, -XX:+UseNoSuchThing, -Xmx1k]")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(sweep.err())
                    .containsOnlyOnce("Unrecognized VM option 'UseNoSuchThing'")
                    .containsOnlyOnce("All further runs with jvm: -XX:+UseNoSuchThing are left out.")
                    .containsOnlyOnce("Too small maximum heap")
                    .containsOnlyOnce("All further runs with jvm: -Xmx1k are left out.")
                    .doesNotContain("\tat ");
            assertThat(complete(session())).hasSize(2);
        }
    }

    @Test
    void comparesTheProgramsInJavaWithTheirTwinInC() throws Exception {
        try (LagbenchProcess sweep = sweep(TINY, "--no-report", "--set", "implementation=[java, c]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out())
                    .containsPattern("TCP/IP +100 +java ")
                    .containsPattern("TCP/IP +100 +c ")
                    .containsPattern("UDP/IP +100 +java ")
                    .containsPattern("UDP/IP +100 +c ");
            assertThat(runs(session())).hasSize(4).allSatisfy(run -> {
                RunRecord record = RunRecordFile.read(run);
                assertThat(record.state()).isEqualTo(RunRecord.State.COMPLETE);
                assertThat(record.counts().distinct()).isEqualTo(200);
                assertThat(record.sender().facts()).containsKey("packetThreadCpuNs");
                assertThat(record.receiver().facts()).containsKey("packetThreadCpuNs");
            });
        }
    }

    @Test
    void keepsWhatATwinThatWasKilledHadRecorded() throws Exception {
        try (LagbenchProcess sweep = sweep(LONG, "--no-report", "--set", "implementation=c")) {
            sweep.awaitErr("packets sent");
            LagbenchProcess.signal(sweep.awaitChild("lagbench-twin send"), "KILL");
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.BROKEN.code());
            assertThat(sweep.err())
                    .contains("lagbench-twin")
                    .contains("signal 9")
                    .doesNotContain("\tat ");
            RunRecord record = RunRecordFile.read(runs(session()).get(0));
            assertThat(record.state()).isEqualTo(RunRecord.State.BROKEN);
            assertThat(runs(session()).get(0)).isDirectoryContaining("glob:**/sender.npy");
            assertThat(runs(session()).get(0)).isDirectoryContaining("glob:**/receiver.npy");
        }
    }

    @Test
    void refusesTheTwinOnTheBusBeforeTheFirstRun() throws Exception {
        try (LagbenchProcess sweep = sweep(TINY, "--set", "implementation=[java, c]", "--set", "transports=ieee1394")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(sweep.err()).contains("--set").contains("libraw1394").doesNotContain("\tat ");
            assertThat(directory.resolve("results")).doesNotExist();
        }
    }

    @Test
    void sweepsBuffersAndTheBusAsAxesAndTellsWhatWasNotGranted() throws Exception {
        try (LagbenchProcess sweep = sweep(
                TINY,
                "--set",
                "transports=[udp, ieee1394]",
                "--set",
                "udp.receive-buffer=[auto, 1GiB]",
                "--set",
                "ieee1394.queue-packets=[2, 16]",
                "--set",
                "ieee1394.interrupt-interval=[1, 8]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(complete(session())).hasSize(6);
            assertThat(sweep.out()).containsPattern("receive-buffer +queue-packets +interrupt-interval");
            long limit = Long.parseLong(
                    Files.readString(Path.of("/proc/sys/net/core/rmem_max")).strip());
            if (limit < 1L << 30) {
                assertThat(sweep.err())
                        .containsOnlyOnce(
                                "udp.receive-buffer: 1073741824 bytes are asked for, but this machine grants no"
                                        + " more than " + limit)
                        .contains("sudo sysctl -w net.core.rmem_max=1073741824");
                assertThat(sweep.out().replaceAll("\\s+", " "))
                        .contains(
                                "! receive-buffer: 1073741824 bytes were asked for",
                                "sudo sysctl -w net.core.rmem_max=1073741824");
            }
        }
    }

    @Test
    void sweepsTheTickOfTheBusAndEveryPacketKeepsItsCycle() throws Exception {
        try (LagbenchProcess sweep = sweep(
                TINY.replace("observe: nothing", "observe: stages"),
                "--set",
                "transports=ieee1394",
                "--set",
                "ieee1394.tick=[1ms, 125us]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).containsPattern("tick");
        }
        JsonNode environment = json(Files.readString(session().resolve("environment.json")));
        assertThat(environment.get("bus").asString()).isEqualTo("virtual");
        assertThat(environment.get("busTicks").values().stream().map(JsonNode::asString))
                .containsExactlyInAnyOrder("125us", "1ms");
        List<Object> ticks = new ArrayList<>();
        for (Path run : complete(session())) {
            RunRecord record = RunRecordFile.read(run);
            Object tick = record.settings().get("tick");
            ticks.add(tick);
            int tickNs = tick.equals("1ms") ? 1_000_000 : 125_000;
            assertThat(record.sender().facts()).containsEntry("busTickNs", tickNs);
            assertThat(record.receiver().facts()).containsEntry("busTickNs", tickNs);
            assertThat(record.counts().distinct()).isEqualTo(200);
            assertCyclesAreBetweenSendingAndReceiving(run);
        }
        assertThat(ticks).containsExactlyInAnyOrder("125us", "1ms");
    }

    /** By what both sides read of the bus's clock meanwhile, and to a cycle, which is more than a clock may be slewed. */
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
    void choosesTheCongestionControlAndTellsWhichThereAre() throws Exception {
        // reno is part of every kernel
        try (LagbenchProcess sweep =
                sweep(TINY, "--set", "transports=tcp", "--set", "tcp.congestion-control=[auto, reno]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).contains("congestion-control");
            assertThat(complete(session()))
                    .anySatisfy(run -> {
                        RunRecord record = RunRecordFile.read(run);
                        assertThat(record.settings()).containsEntry("congestion-control", "reno");
                        assertThat(record.sender().facts()).containsEntry("congestionControl", "reno");
                    })
                    .hasSize(2);
        }
        try (LagbenchProcess sweep = sweep(
                TINY, "--set", "name=none", "--set", "transports=tcp", "--set", "tcp.congestion-control=no-such")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(sweep.err())
                    .contains("tcp.congestion-control", "\"no-such\"", "modprobe", "It offers ", "reno")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void sendsStreamsTogetherFromACommonStartAndEachAlone() throws Exception {
        String streams =
                """
                warm-up-packets: 50
                drain: 100ms
                streams:
                  - {name: audio, transport: udp, packet-bytes: 100, pace: {mode: sleep, interval: 2ms}, packets: 300}
                  - name: files
                    transport: tcp
                    packet-bytes: 1000
                    pace: {mode: sleep, interval: 1ms}
                    duration: 600ms
                    direction: backward
                    settings: {no-delay: false}
                  - {name: video, transport: ieee1394, packet-bytes: 488, pace: {mode: sleep, interval: 1ms}, packets: 600}
                """;
        try (LagbenchProcess sweep = sweep(streams)) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.err()).contains("run 4 of 4").contains("-together-r1  done");
        }
        Path session = session();
        List<Path> runs = complete(session);
        assertThat(runs).hasSize(6);
        List<RunRecord> together = new ArrayList<>();
        List<Long> firsts = new ArrayList<>();
        List<Long> lasts = new ArrayList<>();
        for (Path run : runs) {
            RunRecord record = RunRecordFile.read(run);
            if (!Objects.requireNonNull(record.stream()).isAlone()) {
                together.add(record);
                try (CaptureReader capture = CaptureReader.open(run.resolve(SenderCapture.FILE_NAME))) {
                    int scheduled = capture.field("scheduled_ns");
                    firsts.add(capture.value(0, scheduled));
                    lasts.add(capture.value(capture.records() - 1, scheduled));
                }
            }
        }
        assertThat(together).extracting(RunRecord::packets).containsExactlyInAnyOrder(300L, 600L, 600L);
        assertThat(together)
                .filteredOn(record -> record.transport().equals("tcp"))
                .allSatisfy(record -> {
                    assertThat(record.settings()).containsEntry("no-delay", false);
                    assertThat(record.stream())
                            .isEqualTo(
                                    new StreamRole("files", StreamRole.Direction.BACKWARD, List.of("audio", "video")));
                });
        // Each is scheduled for the common start, late only by how late its process was woken.
        assertThat(Collections.max(firsts)).isLessThan(Collections.min(lasts));

        try (LagbenchProcess table = LagbenchProcess.run(directory, "table", session.toString(), "--view", "streams")) {
            assertThat(table.exitCode()).as(table.err()).isZero();
            assertThat(table.out())
                    .contains("What the streams did to each other")
                    .containsPattern("audio +files video")
                    .containsPattern("files +audio video")
                    .containsPattern("video +audio files");
        }
    }

    @Test
    void sendsStreamsTogetherByTheTwin() throws Exception {
        String streams =
                """
                observe: nothing
                implementation: c
                warm-up-packets: 50
                drain: 100ms
                streams:
                  - {name: audio, transport: udp, packet-bytes: 100, pace: {mode: sleep, interval: 1ms}, packets: 200}
                  - {name: files, transport: tcp, packet-bytes: 1000, pace: flood, packets: 500, direction: backward}
                """;
        try (LagbenchProcess sweep = sweep(streams)) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        List<RunRecord> records = new ArrayList<>();
        for (Path run : complete(session())) {
            records.add(RunRecordFile.read(run));
        }
        assertThat(records).hasSize(4).allSatisfy(record -> {
            assertThat(record.implementation()).isEqualTo("c");
            assertThat(record.counts().distinct()).isEqualTo(record.packets());
        });
        assertThat(records)
                .extracting(RunRecord::stream)
                .contains(
                        new StreamRole("audio", StreamRole.Direction.FORWARD, List.of("files")),
                        new StreamRole("files", StreamRole.Direction.BACKWARD, List.of("audio")));
    }

    @Test
    void refusesASessionThatAnotherSweepIsAt() throws Exception {
        try (LagbenchProcess sweep = sweep(LONG)) {
            Path session = awaitStamps();
            try (LagbenchProcess other = LagbenchProcess.run(directory, "sweep", "--resume", session.toString())) {
                assertThat(other.exitCode()).isEqualTo(ExitCode.UNAVAILABLE.code());
                assertThat(other.err()).contains("another").contains(session.toString());
            }
            assertThat(sweep.children()).isNotEmpty();
        }
    }

    @Test
    void refusesAnUnknownKeyWithItsPlace() throws Exception {
        try (LagbenchProcess sweep = sweep(TINY + "packet-size: 3\n")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(sweep.err())
                    .contains("experiment.yaml:" + (TINY.lines().count() + 1))
                    .contains("packet-size")
                    .doesNotContain("\tat ");
            assertThat(directory.resolve("results")).doesNotExist();
        }
    }

    @Test
    void endsWhenTheReceiverCannotBeReached() throws Exception {
        // port 1 on loopback: nobody listens
        try (LagbenchProcess sweep = sweep(TINY, "--set", "receiver=127.0.0.1:1")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.PEER.code());
            assertThat(sweep.err())
                    .contains("127.0.0.1:1")
                    .doesNotContain("\tat ")
                    .contains("0 of 2 runs");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ctrl-C", "INT", "TERM"})
    void keepsFinishedRunsWhenInterruptedAndResumes(String interruption) throws Exception {
        Path session;
        List<Path> finished;
        try (LagbenchProcess sweep =
                sweep(TINY, "--set", "transports=[udp]", "--set", "repeats=3", "--set", "packets=1500")) {
            sweep.awaitErr("run 1 of 3");
            session = session();
            List<Path> before = complete(session);
            sweep.awaitChild("org.lagbench.sender.Sender");
            List<ProcessHandle> children = sweep.children();
            if (interruption.equals("Ctrl-C")) {
                sweep.signalGroup("INT");
            } else {
                sweep.signal(interruption);
            }

            assertThat(sweep.exitCode()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(sweep.err()).contains("--resume " + directory.relativize(session));
            finished = complete(session);
            assertThat(before).isNotEmpty();
            assertThat(finished).containsAll(before).hasSizeBetween(1, 2);
        }
        byte[] record = Files.readAllBytes(finished.get(0).resolve(RunRecord.FILE_NAME));
        try (LagbenchProcess resumed = LagbenchProcess.run(directory, "sweep", "--resume", session.toString())) {
            assertThat(resumed.exitCode()).as(resumed.err()).isZero();
            int missing = 3 - finished.size();
            assertThat(resumed.err())
                    .contains("run " + missing + " of " + missing)
                    .doesNotContain("run " + (missing + 1));
            assertThat(complete(session)).hasSize(3);
            assertThat(finished.get(0).resolve(RunRecord.FILE_NAME)).hasBinaryContent(record);
            assertThat(session.resolve("environment-2.json")).exists();
        }
    }

    @Test
    void tellsHowFarARunCameThatWasInterrupted() throws Exception {
        try (LagbenchProcess sweep = sweep(LONG, "--set", "transports=udp")) {
            Path session = awaitStamps();
            sweep.signalGroup("INT");

            assertThat(sweep.exitCode()).isEqualTo(ExitCode.INTERRUPTED.code());
            Path run = runs(session).get(0);
            RunRecord record = RunRecordFile.read(run);
            assertThat(record.state()).isEqualTo(RunRecord.State.INTERRUPTED);
            assertThat(record.failure())
                    .isEqualTo("Interrupted after " + stamps(run) + " of " + record.packets() + " packets.");
            assertThat(sweep.err()).contains("interrupted,").doesNotContain("failed");
        }
    }

    /** Ctrl-C and SIGTERM reach all processes of the sweep, in whatever order: here the receiver well before the others. */
    @ParameterizedTest
    @CsvSource({"udp, INT", "tcp, INT", "tcp, TERM", "ieee1394, TERM"})
    void isInterruptedEvenIfTheReceiverHearsOfItFirst(String transport, String signal) throws Exception {
        try (LagbenchProcess sweep = sweep(LONG, "--set", "transports=" + transport)) {
            ProcessHandle sender = sweep.awaitChild("org.lagbench.sender.Sender");
            ProcessHandle receiver = sweep.awaitChild("org.lagbench.receiver.Receiver");
            Path session = awaitStamps();
            LagbenchProcess.signal(sender, "STOP");
            LagbenchProcess.signal(receiver, signal);
            LagbenchProcess.awaitEnd(receiver);
            LagbenchProcess.signal(sender, "CONT");

            assertThat(sweep.exitCode()).as(sweep.err()).isEqualTo(ExitCode.INTERRUPTED.code());
            Path run = runs(session).get(0);
            RunRecord record = RunRecordFile.read(run);
            assertThat(record.state()).isEqualTo(RunRecord.State.INTERRUPTED);
            assertThat(record.failure())
                    .isEqualTo("Interrupted after " + stamps(run) + " of " + record.packets() + " packets.");
            assertThat(sweep.err())
                    .contains("interrupted,")
                    .contains("Interrupted: 0 of 1 runs")
                    .doesNotContain("failed");
        }
    }

    @Test
    void isInterruptedEvenIfTheReceiverHearsOfItBeforeTheSenderHasFoundIt() throws Exception {
        try (LagbenchProcess sweep = sweep(LONG)) {
            ProcessHandle sender = sweep.awaitChild("org.lagbench.sender.Sender");
            LagbenchProcess.signal(sender, "STOP");
            ProcessHandle receiver = sweep.awaitChild("org.lagbench.receiver.Receiver");
            LagbenchProcess.signal(receiver, "INT");
            LagbenchProcess.awaitEnd(receiver);
            LagbenchProcess.signal(sender, "CONT");

            assertThat(sweep.exitCode()).as(sweep.err()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(sweep.err()).contains("interrupted,").doesNotContain("failed");
        }
    }

    @Test
    void sweepsAVirtualBusAndTakesItAway() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("t"));
        try (LagbenchProcess sweep = sweep(
                List.of("-Djava.io.tmpdir=" + temporary), TINY, "--set", "transports=ieee1394", "--set", "repeats=2")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).contains("IEEE-1394");
            assertThat(complete(session())).hasSize(2).allSatisfy(run -> {
                assertThat(stamps(run)).isEqualTo(200);
                RunRecord.Counts counts = RunRecordFile.read(run).counts();
                assertThat(counts).isNotNull();
                assertThat(counts.distinct()).isEqualTo(200);
            });
            assertThat(temporary).isEmptyDirectory();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp", "ieee1394"})
    void keepsTheStampsOfARunWhoseReceiverWasKilled(String transport) throws Exception {
        try (LagbenchProcess sweep = sweep(LONG, "--set", "transports=" + transport)) {
            ProcessHandle receiver = sweep.awaitChild("org.lagbench.receiver.Receiver");
            Path session = awaitStamps();
            LagbenchProcess.signal(receiver, "KILL");

            assertThat(sweep.exitCode()).isEqualTo(ExitCode.BROKEN.code());
            Path run = runs(session).get(0);
            assertThat(RunRecordFile.read(run).state()).isEqualTo(RunRecord.State.BROKEN);
            assertThat(stamps(run)).isPositive();
            assertThat(sweep.err()).contains("0 of 1 runs").doesNotContain("\tat ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp", "ieee1394"})
    void marksARunWhoseSenderWasKilled(String transport) throws Exception {
        try (LagbenchProcess sweep = sweep(LONG, "--set", "transports=" + transport)) {
            ProcessHandle sender = sweep.awaitChild("org.lagbench.sender.Sender");
            Path session = awaitStamps();
            LagbenchProcess.signal(sender, "KILL");

            assertThat(sweep.exitCode()).isEqualTo(ExitCode.BROKEN.code());
            Path run = runs(session).get(0);
            assertThat(RunRecordFile.read(run).state()).isEqualTo(RunRecord.State.BROKEN);
            assertThat(stamps(run)).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp", "ieee1394"})
    void leavesNothingRunningWhenItIsKilledItself(String transport) throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("t"));
        try (LagbenchProcess sweep =
                sweep(List.of("-Djava.io.tmpdir=" + temporary), LONG, "--set", "transports=" + transport)) {
            awaitStamps();
            List<ProcessHandle> children = sweep.children();
            assertThat(children).hasSizeGreaterThanOrEqualTo(2);
            sweep.signal("KILL");

            await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
                assertThat(children).noneMatch(ProcessHandle::isAlive);
                assertThat(temporary).isEmptyDirectory(); // the bus's daemon takes its directory away when it ends
            });
        }
    }

    private LagbenchProcess sweep(String experiment, String... options) throws IOException {
        return sweep(List.of(), experiment, options);
    }

    private LagbenchProcess sweep(List<String> jvmOptions, String experiment, String... options) throws IOException {
        Files.writeString(directory.resolve("experiment.yaml"), experiment);
        return LagbenchProcess.startWith(
                jvmOptions,
                directory,
                Stream.concat(Stream.of("sweep", "experiment.yaml"), Stream.of(options))
                        .toArray(String[]::new));
    }

    /** Waits until the only run has stamps, and gives the session. */
    private Path awaitStamps() {
        await().atMost(Duration.ofSeconds(90))
                .ignoreExceptions()
                .until(() -> stamps(runs(session()).get(0)) > 0);
        return session();
    }

    /** How many packets the sender of a run has stamped. */
    private static long stamps(Path run) throws IOException, LagbenchException {
        try (CaptureReader capture = CaptureReader.open(run.resolve(SenderCapture.FILE_NAME))) {
            return capture.records();
        }
    }

    private Path session() {
        List<Path> sessions = list(directory.resolve("results"));
        assertThat(sessions).hasSize(1);
        return sessions.get(0);
    }

    private static List<Path> runs(Path session) {
        return list(session.resolve("runs"));
    }

    private static List<Path> complete(Path session) {
        return runs(session).stream()
                .filter(run -> Files.exists(run.resolve(RunRecord.FILE_NAME)))
                .filter(run -> {
                    try {
                        return RunRecordFile.read(run).state() == RunRecord.State.COMPLETE;
                    } catch (LagbenchException e) {
                        throw new AssertionError(e);
                    }
                })
                .toList();
    }

    private static List<Path> list(Path parent) {
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(String text) {
        return JsonMapper.builder().build().readTree(text);
    }
}
