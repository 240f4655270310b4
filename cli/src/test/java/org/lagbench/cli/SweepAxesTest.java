package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;
import tools.jackson.databind.JsonNode;

/** Makes sweeps with several axes, and rejects invalid values. */
@Tag("one-java")
@Isolated
class SweepAxesTest {
    private final Path directory;
    private final Sweeps sweeps;

    SweepAxesTest(@TempDir Path directory) {
        this.directory = directory;
        this.sweeps = new Sweeps(directory);
    }

    @Test
    void passesJvmOptionsOfPointToBothSides() throws Exception {
        try (LagbenchProcess sweep =
                sweeps.startSetting(Sweeps.TINY, "transports=udp", "jvm=[default, -XX:+UseSerialGC -Xlog:gc]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).containsPattern("(?s)JVM.*default.*-XX:\\+UseSerialGC -Xlog:gc");
            assertThat(Sweeps.runs(sweeps.session())).hasSize(2);
            assertThat(List.of(
                            RunRecordFile.read(Sweeps.runs(sweeps.session()).get(0))
                                    .jvm(),
                            RunRecordFile.read(Sweeps.runs(sweeps.session()).get(1))
                                    .jvm()))
                    .containsExactlyInAnyOrder("default", "-XX:+UseSerialGC -Xlog:gc");
        }
    }

    @Test
    void leavesOutRunsWithInvalidJvmOption() throws Exception {
        try (LagbenchProcess sweep = sweeps.startSetting(
                Sweeps.TINY, "transports=udp", "repeats=2", "jvm=[default, -XX:+UseNoSuchThing, -Xmx1k]")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(sweep.err())
                    .containsOnlyOnce("Unrecognized VM option 'UseNoSuchThing'")
                    .containsOnlyOnce("All further runs with jvm: -XX:+UseNoSuchThing are left out.")
                    .containsOnlyOnce("Too small maximum heap")
                    .containsOnlyOnce("All further runs with jvm: -Xmx1k are left out.")
                    .doesNotContain("\tat ");
            assertThat(Sweeps.complete(sweeps.session())).hasSize(2);
        }
    }

    @Test
    void comparesEngines() throws Exception {
        try (LagbenchProcess sweep = sweeps.startSetting(Sweeps.TINY, "engine=[java, java-nio, c]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out())
                    .containsPattern("TCP/IP +100 +java ")
                    .containsPattern("TCP/IP +100 +java-nio ")
                    .containsPattern("UDP/IP +100 +java-nio ")
                    .containsPattern("TCP/IP +100 +c ")
                    .containsPattern("UDP/IP +100 +java ")
                    .containsPattern("UDP/IP +100 +c ");
            assertThat(Sweeps.runs(sweeps.session())).hasSize(6).allSatisfy(run -> {
                RunRecord record = RunRecordFile.read(run);
                assertThat(record.state()).isEqualTo(RunRecord.State.COMPLETE);
                assertThat(record.counts().distinct()).isEqualTo(200);
                assertThat(record.sender().metadata()).containsKey("packetThreadCpuNs");
                assertThat(record.receiver().metadata()).containsKey("packetThreadCpuNs");
            });
        }
    }

    @Test
    void rejectsEngineWithoutBusSupport() throws Exception {
        try (LagbenchProcess sweep = sweeps.startSetting(Sweeps.TINY, "engine=[java, c]", "transports=ieee1394")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(sweep.err())
                    .contains("--set")
                    .contains("use engine: java.")
                    .doesNotContain("\tat ");
            assertThat(directory.resolve("results")).doesNotExist();
        }
    }

    @Test
    void sweepsBuffersAndReportsLimits() throws Exception {
        try (LagbenchProcess sweep = sweeps.startSetting(
                Sweeps.TINY,
                "transports=[udp, ieee1394]",
                "udp.receive-buffer=[auto, 1GiB]",
                "ieee1394.queue-packets=[2, 16]",
                "ieee1394.interrupt-interval=[1, 8]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(Sweeps.complete(sweeps.session())).hasSize(6);
            assertThat(sweep.out()).containsPattern("receive-buffer +queue-packets +interrupt-interval");
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
    }

    @Test
    void recordsBusCycleOfEachPacket() throws Exception {
        try (LagbenchProcess sweep = sweeps.startSetting(
                Sweeps.TINY.replace("observe: nothing", "observe: stages"),
                "transports=ieee1394",
                "ieee1394.interrupt-interval=[1, 4]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        JsonNode environment = Sweeps.json(Files.readString(sweeps.session().resolve("environment.json")));
        assertThat(environment.get("bus").asString()).isEqualTo("virtual");
        List<Path> runs = Sweeps.complete(sweeps.session());
        assertThat(runs).hasSize(2);
        for (Path run : runs) {
            assertThat(RunRecordFile.read(run).counts().distinct()).isEqualTo(200);
            assertCyclesAreBetweenSendingAndReceiving(run);
        }
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
        try (LagbenchProcess sweep =
                sweeps.startSetting(Sweeps.TINY, "transports=tcp", "tcp.congestion-control=[auto, reno]")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertThat(sweep.out()).contains("congestion-control");
            assertThat(Sweeps.complete(sweeps.session()))
                    .anySatisfy(run -> {
                        RunRecord record = RunRecordFile.read(run);
                        assertThat(record.settings()).containsEntry("congestion-control", "reno");
                        assertThat(record.sender().metadata()).containsEntry("congestionControl", "reno");
                    })
                    .hasSize(2);
        }
        try (LagbenchProcess sweep =
                sweeps.startSetting(Sweeps.TINY, "name=none", "transports=tcp", "tcp.congestion-control=no-such")) {
            assertThat(sweep.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(sweep.err())
                    .contains("tcp.congestion-control", "\"no-such\"", "modprobe", "It offers ", "reno")
                    .doesNotContain("\tat ");
        }
    }
}
