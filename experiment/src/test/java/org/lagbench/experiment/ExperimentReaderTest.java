package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.text.Endpoint;

class ExperimentReaderTest {
    private static final String EVERYTHING =
            """
            name: all-of-it
            packets: 5000
            warm-up-packets: 0
            repeats: 5
            transports: [tcp, udp, bus]
            packet-bytes: [992, 396, 24]
            pace:
              - flood
              - {mode: spin, interval: 1.5ms}
              - interval: 250us
                mode: sleep
              - {interval: 16.666667ms, burst: 133}
            engine: java
            jvm: [default, -Xint, -XX:+UseSerialGC   -Xmx64m]
            observe: [stages, causes]
            order: pairs-of tcp.send-buffer
            seed: 9223372036854775807
            receiver: "[2001:db8::7]:5001"
            key-file: lab.key
            drain: 0s
            stall-timeout: 2s
            tcp:
              no-delay: [true, false]
              send-buffer: [auto, 64KiB]
            udp: {receive-buffer: 1MiB}
            bus:
              speed: 400
              channel: 17
            """;

    private final ExperimentReader reader = new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL);
    private final Path directory;

    ExperimentReaderTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private Experiment read(String yaml, String... overrides) throws IOException, LagbenchException {
        return reader.read(Files.writeString(directory.resolve("try.yaml"), yaml), List.of(overrides));
    }

    @Test
    void readsTrafficAsAxis() throws Exception {
        Experiment experiment = read(
                """
                transports: tcp
                packet-bytes: 24
                traffic: [one-way, round-trip]
                in-flight: unlimited
                reply-timeout: 20ms
                """);
        TrafficSpec answered = new TrafficSpec(Traffic.ROUND_TRIP, RunParameters.UNLIMITED, Duration.ofMillis(20));

        assertThat(experiment.runs(1))
                .extracting(run -> run.point().traffic())
                .containsExactlyInAnyOrder(TrafficSpec.ONE_WAY, answered);
        assertThat(experiment.runs(1)).allSatisfy(run -> assertThat(run.name())
                .matches("000[12]-tcp-24" + (run.point().traffic().equals(answered) ? "-round-trip" : "") + "-r1"));
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
        assertThat(read(experiment.toYaml().replace("reply-timeout", "answer-timeout")))
                .as("the former name")
                .isEqualTo(experiment);
        assertThat(read("transports: tcp\npacket-bytes: 1\ntraffic: round-trip\n")
                        .packetBytes(TrafficSpec.of(Traffic.ROUND_TRIP)))
                .containsExactly(1);
    }

    @Test
    void readsPacketSizesOfEachKindOfTraffic() throws Exception {
        Experiment experiment = read(
                """
                transports: tcp
                traffic: [round-trip, transfer, one-way]
                packet-bytes: {round-trip: [2, 24], transfer: 16KiB, one-way: 24}
                """);

        assertThat(experiment.runs(1))
                .extracting(run ->
                        run.point().traffic().kind().text() + " " + run.point().packetBytes())
                .containsExactlyInAnyOrder("round-trip 2", "round-trip 24", "transfer 16384", "one-way 24");
        assertThat(experiment.runCount()).isEqualTo(4);
        assertThat(experiment.toYaml())
                .contains("packet-bytes: {round-trip: [2, 24], transfer: [16384], one-way: [24]}\n");
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
        assertThat(read("traffic: [one-way, transfer]\ntransports: tcp\n", "packet-bytes.one-way=396")
                        .runs(1))
                .extracting(run -> run.point().packetBytes())
                .as("the default of the other kind")
                .containsExactlyInAnyOrder(396, 16_384);
    }

    @Test
    void refusesWrongPacketSizesOfAKindOfTraffic() {
        assertThatThrownBy(
                        () -> read(
                                """
                        transports: tcp
                        traffic: [round-trip, one-way]
                        packet-bytes:
                          round-trip: 2
                          one-way: 2
                          transfer: 16384
                        """))
                .hasMessageContaining("try.yaml:5:12: packet-bytes: 2 is not accepted; it takes a size from 24 bytes")
                .hasMessageContaining("try.yaml:6:3: packet-bytes.transfer: there is no such key")
                .hasMessageNotContaining("try.yaml:4");
    }

    @Test
    void readsEveryKey() throws Exception {
        Experiment experiment = read(EVERYTHING);

        assertThat(experiment.name()).isEqualTo("all-of-it");
        assertThat(experiment.base().packets()).isEqualTo(5_000);
        assertThat(experiment.base().warmUpPackets()).isZero();
        assertThat(experiment.plan().repeats()).isEqualTo(5);
        assertThat(experiment.axes().transports()).extracting(SettingAxes::name).containsExactly("tcp", "udp", "bus");
        assertThat(experiment.packetBytes(TrafficSpec.ONE_WAY)).containsExactly(992, 396, 24);
        assertThat(experiment.axes().paces())
                .containsExactly(
                        Pace.flood(),
                        new Pace(Pace.Mode.SPIN, 1_500_000),
                        new Pace(Pace.Mode.SLEEP, 250_000),
                        new Pace(Pace.Mode.HYBRID, 16_666_667, 133));
        assertThat(experiment.programs())
                .containsExactly(
                        new EngineSpec("java", JvmOptions.NONE),
                        new EngineSpec("java", new JvmOptions(List.of("-Xint"))),
                        new EngineSpec("java", new JvmOptions(List.of("-XX:+UseSerialGC", "-Xmx64m"))));
        assertThat(experiment.base().observe()).containsExactlyInAnyOrder(Observation.CAUSES, Observation.STAGES);
        assertThat(experiment.plan().pairsOf()).isEqualTo("tcp.send-buffer");
        assertThat(experiment.plan().seed()).isEqualTo(Long.MAX_VALUE);
        assertThat(experiment.path().receiver()).isEqualTo(new Endpoint("2001:db8::7", 5001));
        assertThat(experiment.path().keyFile()).isEqualTo(directory.resolve("lab.key"));
        assertThat(experiment.axes().conditions().get(0).drain()).isZero();
        assertThat(experiment.axes().conditions().get(0).stallTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(experiment.axes().transports().get(0).values())
                .containsEntry("no-delay", List.of("true", "false"))
                .containsEntry("send-buffer", List.of("auto", "65536"))
                .containsEntry("receive-buffer", List.of("auto"));
    }

    @Test
    void writesEqualExperiment() throws Exception {
        Experiment experiment = read(EVERYTHING);
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
        assertThat(read(read(EVERYTHING, "seed=7").toYaml()).plan().seed()).isEqualTo(7);

        Experiment defaults = read("packets: 1");
        assertThat(read(defaults.toYaml())).isEqualTo(defaults);
    }

    @Test
    void createsRunForEachPointAndRepeat() throws Exception {
        Experiment experiment = read(EVERYTHING);
        // 3 sizes x 4 paces x 3 programs x 5 repeats x (4 combinations of tcp + 1 of udp + 1 of bus)
        assertThat(experiment.runCount()).isEqualTo(1080);
        assertThat(experiment.runs(1)).hasSize(1080);
    }

    @Test
    void runsEngineWithoutJvmOnceForAllJvmOptions() throws Exception {
        List<RunSpec> runs =
                read("""
                        transports: udp
                        packet-bytes: 24
                        engine: [java, c]
                        jvm: [default, -Xint]
                        observe: nothing
                        """)
                        .runs(1);

        assertThat(runs)
                .extracting(run -> run.point().program())
                .containsExactlyInAnyOrder(
                        new EngineSpec("java", JvmOptions.NONE),
                        new EngineSpec("java", new JvmOptions(List.of("-Xint"))),
                        new EngineSpec("c", JvmOptions.NONE));
        assertThat(runs).allSatisfy(run -> assertThat(run.point().observe()).isEmpty());
    }

    @Test
    void sendsStreamsTogetherAndAlone() throws Exception {
        Experiment experiment = read(
                """
                packets: 500
                repeats: 2
                streams:
                  - {name: audio, transport: udp, packet-bytes: 324, pace: {interval: 1ms}, duration: 2.5s}
                  - name: files
                    transport: tcp
                    packet-bytes: 16384
                    pace: flood
                    direction: backward
                    settings: {send-buffer: 64KiB}
                """);

        assertThat(experiment.runCount()).isEqualTo(6);
        List<RunSpec.RunGroup> groups = experiment.groups(3);
        assertThat(groups).hasSize(6);
        assertThat(groups.subList(0, 3))
                .extracting(group -> group.name().replaceFirst("^\\d+-", ""))
                .containsExactlyInAnyOrder("alone-audio-r1", "alone-files-r1", "together-r1");
        RunSpec.RunGroup together = groups.stream()
                .filter(group -> group.runs().size() == 2)
                .findFirst()
                .orElseThrow();
        assertThat(together.runs()).extracting(run -> run.point().packets()).containsExactly(2_500L, 500L);
        assertThat(together.runs().get(1).stream())
                .isEqualTo(new StreamRole("files", StreamRole.Direction.BACKWARD, List.of("audio")));
        assertThat(together.runs().get(1).point().allSettings().number("send-buffer"))
                .isEqualTo(65_536);
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
    }

    @Test
    void createsRunsInEachDirection() throws Exception {
        String point = "transports: udp\npacket-bytes: 24\n";
        Experiment backward = read(point + "direction: backward");
        assertThat(backward.runs(1)).singleElement().satisfies(run -> {
            assertThat(run.name()).isEqualTo("0001-udp-24-backward-r1");
            assertThat(run.stream()).isEqualTo(new StreamRole("backward", StreamRole.Direction.BACKWARD, List.of()));
        });
        assertThat(read(backward.toYaml())).isEqualTo(backward);

        Experiment both = read(point + "direction: both");
        assertThat(both.runCount()).isEqualTo(1);
        assertThat(both.groups(1)).singleElement().satisfies(group -> {
            assertThat(group.name()).isEqualTo("0001-udp-24-r1");
            assertThat(group.runs())
                    .extracting(RunSpec::stream)
                    .containsExactly(
                            new StreamRole("forward", StreamRole.Direction.FORWARD, List.of("backward")),
                            new StreamRole("backward", StreamRole.Direction.BACKWARD, List.of("forward")));
        });
        assertThat(read(both.toYaml())).isEqualTo(both);
        assertThat(read(point).runs(1)).extracting(RunSpec::stream).containsOnlyNulls();
    }

    @Test
    void groupsEqualStreamsInOneRun() throws Exception {
        String point = "transports: udp\npacket-bytes: 24\nparallel: 2\n";
        Experiment experiment = read(point);
        assertThat(experiment.runCount()).isEqualTo(1);
        assertThat(experiment.groups(1)).singleElement().satisfies(group -> {
            assertThat(group.runs()).extracting(RunSpec::name).containsExactly("0001-udp-24-1-r1", "0001-udp-24-2-r1");
            assertThat(group.runs())
                    .extracting(RunSpec::stream)
                    .containsExactly(
                            new StreamRole("1", StreamRole.Direction.FORWARD, List.of("2")),
                            new StreamRole("2", StreamRole.Direction.FORWARD, List.of("1")));
        });
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
        assertThat(read(point + "direction: both").runs(1))
                .extracting(run -> Objects.requireNonNull(run.stream()).name())
                .containsExactly("forward-1", "forward-2", "backward-1", "backward-2");
    }

    @Test
    void shufflesRunsBySeed() throws Exception {
        List<RunSpec> runs = read("transports: [tcp, udp, bus]\npacket-bytes: [992, 396, 24]\nrepeats: 2\n")
                .runs(2001);

        // The points are tcp-992, tcp-396, tcp-24, udp-992 and so on, in the orders that RunOrderTest pins.
        assertThat(runs)
                .extracting(RunSpec::name)
                .containsExactly(
                        "0001-bus-992-r1",
                        "0002-tcp-24-r1",
                        "0003-bus-396-r1",
                        "0004-tcp-992-r1",
                        "0005-udp-24-r1",
                        "0006-tcp-396-r1",
                        "0007-udp-992-r1",
                        "0008-udp-396-r1",
                        "0009-bus-24-r1",
                        "0010-tcp-24-r2",
                        "0011-tcp-396-r2",
                        "0012-udp-992-r2",
                        "0013-bus-24-r2",
                        "0014-udp-24-r2",
                        "0015-bus-396-r2",
                        "0016-udp-396-r2",
                        "0017-bus-992-r2",
                        "0018-tcp-992-r2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "transports: udp\\npacket-bytes: [24, 992]                                                | 8",
                "streams: [{name: a, transport: udp, packet-bytes: 24},"
                        + " {name: b, transport: udp, packet-bytes: 24}] | 12"
            })
    void runsEachValueOfEachCondition(String points, int count) throws Exception {
        Experiment experiment = read(points.replace("\\n", "\n")
                + "\ndrain: [0s, 500ms]\nstall-timeout: [20s, 30s]\norder: pairs-of drain\n");

        assertThat(experiment.runCount()).isEqualTo(count);
        assertThat(experiment.groups(1)).hasSize(count);
        assertThat(experiment.groups(1).stream()
                        .map(group -> group.runs().get(0).point().conditions())
                        .distinct())
                .hasSize(4);
        assertThat(experiment.toYaml()).contains("\ndrain: [0s, 500ms]\nstall-timeout: [20s, 30s]\n");
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
    }

    @Test
    void keepsRunsOfPairAdjacent() throws Exception {
        Experiment experiment = read(
                """
                transports: [tcp, udp]
                packet-bytes: [992, 396, 24]
                repeats: 20
                order: pairs-of transport
                """);
        List<RunSpec> runs = experiment.runs(2001);
        assertThat(runs).hasSize(120);
        int tcpFirst = 0;
        for (int i = 0; i < runs.size(); i += 2) {
            RunSpec first = runs.get(i);
            RunSpec second = runs.get(i + 1);
            assertThat(second.point().packetBytes()).isEqualTo(first.point().packetBytes());
            assertThat(second.repeat()).isEqualTo(first.repeat());
            assertThat(second.point().transport()).isNotEqualTo(first.point().transport());
            tcpFirst += first.point().transport().equals("tcp") ? 1 : 0;
        }
        assertThat(tcpFirst).isBetween(18, 42); // of 60; half are expected
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
        assertThat(read("order: shuffled").plan().pairsOf()).isNull();
    }

    @Test
    void runsEachCombinationOncePerRepeat() throws Exception {
        List<RunSpec> runs =
                read("""
                        transports: tcp
                        packet-bytes: 24
                        repeats: 3
                        drain: 1s
                        tcp: {no-delay: [true, false], send-buffer: [auto, 64KiB]}
                        """)
                        .runs(5);

        for (int repeat = 1; repeat <= 3; repeat++) {
            int ofRepeat = repeat;
            assertThat(runs.subList(4 * (repeat - 1), 4 * repeat))
                    .allMatch(run ->
                            run.repeat() == ofRepeat && run.point().drain().equals(Duration.ofSeconds(1)))
                    .extracting(run -> run.point().allSettings().word("no-delay") + " "
                            + run.point().allSettings().word("send-buffer"))
                    .containsExactlyInAnyOrder("true auto", "true 65536", "false auto", "false 65536");
        }
    }

    @Test
    void acceptsByteOrderMarkAndCarriageReturns() throws Exception {
        assertThat(read("\uFEFFpackets: 7\r\nrepeats: 2\r\n").plan().repeats()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "lab.yaml, lab",
        "lab.yml, lab",
        "lab, lab",
        "null.yaml, null",
        "12.yaml, 12",
        "my lab (2).yaml, my-lab--2-",
        ".yaml, experiment",
        "_x.yaml, x"
    })
    void isNamedAfterItsFile(String file, String name) throws Exception {
        Path path = Files.writeString(directory.resolve(file), "packets: 1");
        Experiment experiment = reader.read(path);
        assertThat(experiment.name()).isEqualTo(name);
        assertThat(read(experiment.toYaml()).name()).isEqualTo(name);
    }

    @Test
    void omitsSectionsOfUnusedTransports() throws Exception {
        assertThat(read("transports: [udp]\ntcp: {no-delay: false}\nbus:\n").toYaml())
                .contains("udp:\n  receive-buffer: auto\n")
                .doesNotContain("tcp", "bus");
    }
}
