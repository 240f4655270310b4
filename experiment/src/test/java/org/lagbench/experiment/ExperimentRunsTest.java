package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;

/** The runs that an experiment plans: their points, streams, repeats and order. */
class ExperimentRunsTest {
    private final ExperimentReader reader = new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL);
    private final Path directory;

    ExperimentRunsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private Experiment read(String yaml, String... overrides) throws IOException, LagbenchException {
        return reader.read(Files.writeString(directory.resolve("try.yaml"), yaml), List.of(overrides));
    }

    @Test
    void createsRunForEachPointAndRepeat() throws Exception {
        Experiment experiment = read(ExperimentReaderTest.EVERYTHING);
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
                        observe: none
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
        assertThat(read("order: shuffled").grid().pairsOf()).isNull();
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
}
