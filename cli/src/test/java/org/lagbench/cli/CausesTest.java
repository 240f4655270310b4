package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.run.RunRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Stops a process or takes its CPU during a run, and expects that to be the cause of the tail. */
@Isolated
@Tag("one-java")
class CausesTest {
    /**
     * Recorded packets before the process is stopped: enough for the stall recording, and the run lasts for more than a
     * second after them.
     */
    private static final int STOPPED_AFTER = 300;

    private static final String EXPERIMENT =
            """
            name: stopped
            jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
            transports: [udp]
            packet-bytes: 100
            packets: 2500
            warm-up-packets: 50
            pace: {mode: sleep, interval: 1ms}
            drain: 100ms
            observe: events
            """;

    /** After a line, uses a CPU for tens of milliseconds again and again, until the end of the input. */
    private static final String COUNT =
            "read; while read -t 0.1; (($? > 128)); do for ((i = 0; i < 8000; i++)); do :; done; done";

    private final Path directory;
    private final Sweeps sweeps;

    CausesTest(@TempDir Path directory) {
        this.directory = directory;
        this.sweeps = new Sweeps(directory);
    }

    /** The next test has the receiver of the engine java. */
    @ParameterizedTest
    @Tag("night")
    @CsvSource({
        "java, org.lagbench.sender.Sender, sender, scheduled_ns, schedule_cause",
        "c, lagbench-engine receive, receiver, sent_ns, cause",
        "c, lagbench-engine send, sender, scheduled_ns, schedule_cause"
    })
    void attributesDelayToStoppedProcess(String engine, String command, String side, String departure, String cause)
            throws Exception {
        try (LagbenchThread sweep = sweeps.startHere(EXPERIMENT + "engine: " + engine, "--quiet", "--no-report")) {
            ProcessHandle process = sweep.awaitChild(command);
            sweeps.awaitStamps(STOPPED_AFTER);
            long[] stop = stop(process);
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            assertNamed(certainlyDelayed(departure, stop[0], stop[1]), cause, side);
        }
    }

    private static void assertNamed(List<Map<String, String>> delayed, String cause, String side) {
        long named = delayed.stream()
                .filter(packet -> packet.get(cause).equals("stall")
                        && packet.get(cause + "_side").equals(side))
                .count();
        assumeFalse(delayed.isEmpty(), "other programs delayed all packets of the stop for longer");
        assertThat(named).isGreaterThanOrEqualTo((delayed.size() * 95L + 99) / 100);
    }

    @Test
    void explainsPacketThatAStopDelayed() throws Exception {
        long[] stop;
        try (LagbenchThread sweep = sweeps.startHere(EXPERIMENT, "--quiet", "--no-report")) {
            ProcessHandle receiver = sweep.awaitChild("org.lagbench.receiver.Receiver");
            sweeps.awaitStamps(STOPPED_AFTER);
            stop = stop(receiver);
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        String session = sweeps.session().toString();
        List<Map<String, String>> stopped = certainlyDelayed("sent_ns", stop[0], stop[1]);
        assertNamed(stopped, "cause", "receiver");
        Map<String, String> delayed = exported().stream()
                .filter(packet -> !packet.get("received_ns").isEmpty())
                .max(Comparator.comparingLong(CausesTest::lagNs))
                .orElseThrow();
        assumeThat(stopped)
                .as("other programs delayed a packet for longer than the stop")
                .contains(delayed);
        String packet = delayed.get("seq");
        CommandResult timeline = CommandResult.of("explain", session, packet);
        assertThat(timeline.exitCode()).as(timeline.err()).isZero();
        assertThat(timeline.out()).contains(" of 0001-udp-100-r1: lag ").containsPattern("Process stopped +receiver");
        JsonNode parts = partsByJson("explain", session, packet, "--json");
        assertThat(parts).allMatch(part -> part.get("packet").asString().equals(packet));
        assertThat(largest(parts).get("cause").asString()).isEqualTo("receiver.stall");
        long certainlyStoppedNs = stop[1] - Long.parseLong(delayed.get("sent_ns"));
        assertThat(largest(parts).get("ns").asLong()).isGreaterThanOrEqualTo(certainlyStoppedNs * 95 / 100);

        JsonNode slowest = partsByJson("explain", session, "--json");
        // the packets of the stop are one queue
        assertThat(slowest.get(0).get("packets").asLong()).isGreaterThan(1);
        assertThat(slowest.get(0).get("firstPacket").asLong()).isLessThanOrEqualTo(Long.parseLong(packet));
        assertThat(slowest.get(0).get("lastPacket").asLong()).isGreaterThanOrEqualTo(Long.parseLong(packet));
        assertThat(largest(slowest).get("cause").asString()).isEqualTo("receiver.stall");
    }

    /** Returns the parts that a command prints as JSON, and checks that those of a packet add up to its lag. */
    private static JsonNode partsByJson(String... command) throws Exception {
        CommandResult result = CommandResult.of(command);
        assertThat(result.exitCode()).as(result.err()).isZero();
        JsonNode tree = JsonMapper.builder().build().readTree(result.out());
        assertThat(tree.get("format").asString()).isEqualTo("lagbench-explanation-2");
        Map<String, Long> left = new HashMap<>();
        for (JsonNode part : tree.get("parts")) {
            long lagNs = part.get("lagNs").asLong();
            left.merge(
                    part.get("packet").asString(),
                    lagNs - part.get("ns").asLong(),
                    (before, after) -> before + after - lagNs);
        }
        assertThat(left.values()).isNotEmpty().containsOnly(0L);
        return tree.get("parts");
    }

    private static long lagNs(Map<String, String> packet) {
        return Long.parseLong(packet.get("received_ns")) - Long.parseLong(packet.get("sent_ns"));
    }

    private static JsonNode largest(JsonNode parts) {
        return parts.valueStream()
                .max(Comparator.comparingLong(part -> part.get("ns").asLong()))
                .orElseThrow();
    }

    @ParameterizedTest
    @Tag("merge")
    @ValueSource(strings = {"java", "c"})
    void namesProgramThatTookTheCpu(String engine) throws Exception {
        List<Process> hogs = startHogs();
        try (LagbenchThread sweep = sweeps.startHere(EXPERIMENT + "engine: " + engine, "--quiet", "--no-report")) {
            sweep.awaitChild("org.lagbench.sender.Sender");
            for (Process hog : hogs) {
                hog.getOutputStream().write('\n');
                hog.getOutputStream().flush();
            }
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        } finally {
            hogs.forEach(Process::destroyForcibly);
        }
        // without the observer, for example as an ordinary user, waits have no names
        assumeThat(Files.readString(Sweeps.runs(sweeps.session()).get(0).resolve("run.json")))
                .doesNotContain("without the programs that ran instead");
        CommandResult table =
                CommandResult.of("table", sweeps.session().toString(), "--view", "ledger", "--tail", "50");
        assertThat(table.out()).contains(": hog ");
    }

    @Test
    void namesTheDropOfAPacketThatDidNotFitTheBuffer() throws Exception {
        long[] stop;
        String settings = "engine: c\nudp: {receive-buffer: 4KiB}\n";
        try (LagbenchThread sweep = sweeps.startHere(EXPERIMENT + settings, "--quiet", "--no-report")) {
            ProcessHandle receiver = sweep.awaitChild("lagbench-engine receive");
            sweeps.awaitStamps(STOPPED_AFTER);
            stop = stop(receiver);
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        String session = sweeps.session().toString();
        assumeThat(Files.readString(Sweeps.runs(sweeps.session()).get(0).resolve("run.json")))
                .as("the kernel refuses its observer")
                .doesNotContain("the counter of drops");
        Map<String, String> lost = exported().stream()
                .filter(packet -> packet.get("received_ns").isEmpty())
                .filter(packet -> Long.parseLong(packet.get("sent_ns")) > stop[0])
                .findFirst()
                .orElseThrow();
        CommandResult explained = CommandResult.of("explain", session, lost.get("seq"));
        assertThat(explained.out()).contains(": lost").containsPattern("Kernel drop: SOCKET_RCVBUFF +receiver");
        assertThat(CommandResult.of("table", session, "--view", "ledger").out())
                .containsPattern("SOCKET_RCVBUFF [1-9]");
    }

    /** Whether other programs take a CPU in a window is unknown, so the price and the causes can be any. */
    @Test
    void observesWindowsAfterPacketsAskedFor() throws Exception {
        int asked = 8000;
        String experiment =
                EXPERIMENT.replace("packets: 2500", "packets: " + asked).replace("events", "auto");
        try (LagbenchThread sweep = sweeps.startHere(experiment + "engine: c", "--no-report")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        Path run = Sweeps.runs(sweeps.session()).get(0);
        JsonNode record = JsonMapper.builder().build().readTree(run.resolve("run.json"));
        JsonNode sender = record.at("/sender/metadata");
        assumeThat(sender.path("observed").asString()).isEqualTo("windows");
        assertThat(record.at("/run/point/packets").asLong()).isEqualTo(asked);
        assertThat(record.at("/counts/distinct").asLong()).isBetween(1L, (long) asked);
        assertThat(record.at("/counts/windows/distinct").asLong()).isPositive();
        try (CaptureReader capture = CaptureReader.open(run.resolve("sender.npy"))) {
            assertThat(capture.records())
                    .isEqualTo(RunRecord.read(run).point().stampedPackets())
                    .isGreaterThan(asked);
        }
        for (String events : List.of("sender-events.npy", "receiver-events.npy")) {
            try (CaptureReader capture = CaptureReader.open(run.resolve(events))) {
                Set<Long> causes = new HashSet<>();
                for (long i = 0; i < capture.records(); i++) {
                    causes.add(capture.value(i, capture.field("cause")));
                }
                assertThat(causes).contains((long) Cause.OBSERVED.code(), (long) Cause.NOT_OBSERVED.code());
            }
        }
        String table = CommandResult.of("table", sweeps.session().toString(), "--format", "json")
                .out();
        JsonNode metrics = JsonMapper.builder().build().readTree(table).at("/points/0/metrics");
        assertThat(metrics.get("packets.sent").asLong()).isEqualTo(asked);
        assertThat(exported().stream()
                        .mapToLong(packet -> Long.parseLong(packet.get("seq")))
                        .max())
                .hasValue(asked - 1);
    }

    /**
     * Starts a program with the name hog for each CPU; after the first line to it, it uses the CPU before all others.
     */
    private List<Process> startHogs() throws Exception {
        Path hog = Files.createSymbolicLink(directory.resolve("hog"), Path.of("/bin/bash"));
        List<Process> hogs = new ArrayList<>();
        for (int cpu = 0; cpu < Runtime.getRuntime().availableProcessors(); cpu++) {
            String[] command = {"taskset", "-c", Integer.toString(cpu), "chrt", "-f", "10", hog.toString(), "-c", COUNT
            };
            hogs.add(new ProcessBuilder(command).start());
        }
        return hogs;
    }

    /**
     * Returns the packets that departed while the process was stopped, and whose lag is mostly that stop, with their
     * causes.
     */
    private List<Map<String, String>> certainlyDelayed(String departure, long stoppedNs, long stillStoppedNs)
            throws Exception {
        List<Map<String, String>> delayed = new ArrayList<>();
        for (Map<String, String> packet : exported()) {
            if (!packet.get("received_ns").isEmpty()) {
                long departedNs = Long.parseLong(packet.get(departure));
                long lagNs = Long.parseLong(packet.get("received_ns")) - departedNs;
                boolean within = departedNs >= stoppedNs && departedNs < stillStoppedNs;
                if (within && (stillStoppedNs - departedNs) * 4 >= lagNs * 3) {
                    delayed.add(packet);
                }
            }
        }
        return delayed;
    }

    /** Returns the exported packets with the causes of the slower half. */
    private List<Map<String, String>> exported() throws Exception {
        CommandResult export =
                CommandResult.of("export", sweeps.session().toString(), "--format", "csv", "--tail", "50");
        assertThat(export.exitCode()).as(export.err()).isZero();
        List<String> lines =
                Files.readAllLines(Path.of(export.out().lines().findFirst().orElseThrow()));
        List<String> names = List.of(lines.get(0).split(",", -1));
        return lines.stream()
                .skip(1)
                .map(line -> {
                    String[] cells = line.split(",", -1);
                    Map<String, String> packet = new HashMap<>();
                    for (int i = 0; i < cells.length; i++) {
                        packet.put(names.get(i), cells[i]);
                    }
                    return packet;
                })
                .toList();
    }

    /** Stops a process for 200 ms, and returns the time between the signals, in which it was certainly stopped. */
    private static long[] stop(ProcessHandle process) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder(
                        "bash",
                        "-c",
                        // on a busy machine its threads wait for a CPU before the signal stops them
                        "trap 'kill -CONT $0' EXIT; kill -STOP $0;"
                                + " while grep -sL '^State:.T' /proc/$0/task/*/status | grep -q .; do :; done;"
                                + " echo $EPOCHREALTIME; sleep 0.2; echo $EPOCHREALTIME",
                        Long.toString(process.pid()))
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said = shell.inputReader()) {
            List<String> lines = said.lines().toList();
            assertThat(shell.waitFor()).as(lines::toString).isZero();
            assertThat(lines).hasSize(2);
            return lines.stream()
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_000)
                    .toArray();
        }
    }
}
