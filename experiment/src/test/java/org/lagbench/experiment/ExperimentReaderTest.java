package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.text.Endpoint;

class ExperimentReaderTest {
    static final String EVERYTHING =
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
            observe: [timestamping, events]
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
        assertThat(experiment.grid().repeats()).isEqualTo(5);
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
        assertThat(experiment.base().observe())
                .containsExactlyInAnyOrder(ObservedSource.EVENTS, ObservedSource.TIMESTAMPING);
        assertThat(experiment.grid().pairsOf()).isEqualTo("tcp.send-buffer");
        assertThat(experiment.grid().seed()).isEqualTo(Long.MAX_VALUE);
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
        assertThat(read(read(EVERYTHING, "seed=7").toYaml()).grid().seed()).isEqualTo(7);

        Experiment defaults = read("packets: 1");
        assertThat(read(defaults.toYaml())).isEqualTo(defaults);
    }

    @Test
    void acceptsByteOrderMarkAndCarriageReturns() throws Exception {
        assertThat(read("\uFEFFpackets: 7\r\nrepeats: 2\r\n").grid().repeats()).isEqualTo(2);
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
