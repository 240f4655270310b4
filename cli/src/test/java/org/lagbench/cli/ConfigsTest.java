package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Checks the experiments in configs/ against their documentation. */
class ConfigsTest {
    private static final long BUS_CYCLE_NS = 125_000;

    private static final Path CONFIGS = Path.of("..", "configs");

    private final ExperimentReader reader = new ExperimentReader(Transports.load(), Engines.load());

    @Test
    void quickstartTakesAMinute() throws Exception {
        Experiment experiment = reader.read(CONFIGS.resolve("quickstart.yaml"));

        List<RunSpec> runs = experiment.runs(1);
        assertThat(runs).hasSize(9);
        assertThat(runs).extracting(run -> run.point().transport()).contains("tcp", "udp", "ieee1394");
        long packetsTakeNs = runs.stream()
                .mapToLong(run -> run.point().packets() * run.point().pace().intervalNs()
                        + run.point().warmUpPackets() * BUS_CYCLE_NS)
                .sum();
        // warm-up packets are sent one per bus cycle; what is left of the minute is for starting two processes per run
        assertThat(packetsTakeNs).isBetween(10_000_000_000L, 30_000_000_000L);
    }

    @Test
    void hasSettingsOfNorrisAndMillersExperiment() throws Exception {
        List<RunSpec> runs =
                reader.read(CONFIGS.resolve("norris-miller-2001.yaml")).runs(1);

        assertThat(runs).hasSize(45);
        assertThat(runs).allSatisfy(run -> {
            assertThat(run.point().packets()).isEqualTo(50_000);
            assertThat(run.point().pace()).isEqualTo(Pace.flood());
        });
        assertThat(runs)
                .filteredOn(run -> run.point().transport().equals("ieee1394"))
                .hasSize(15)
                .allSatisfy(run -> assertThat(run.point().allSettings().number("input-buffer"))
                        .isEqualTo(4_096));
        assertThat(runs).extracting(run -> run.point().packetBytes()).containsOnly(992, 396, 24);
    }

    /** Compares the rate without headers with that of the media format. */
    @ParameterizedTest
    @CsvSource({
        "media-dv.yaml, 8, 28_800_000", // 25 frames x 300 blocks x 480 bytes
        "media-mpeg-ts.yaml, 12, 8_000_000",
        "media-audio-rtp.yaml, 12, 2_304_000", // 48,000 x 2 x 24 bits
        "media-audio-1394.yaml, 8, 3_072_000", // 48,000 x 2 x 32 bits
        "media-video-bursts.yaml, 12, 12_000_000", // 60 frames x 25,000 bytes
    })
    void mediaProfilesHaveRateOfTheirMedia(String file, int headerBytes, String bitsPerSecond) throws Exception {
        double expected = Double.parseDouble(bitsPerSecond.replace("_", ""));
        List<RunSpec> runs = reader.read(CONFIGS.resolve(file)).runs(1);
        assertThat(runs).isNotEmpty().allSatisfy(run -> {
            double rate = run.point().pace().burst()
                    * (run.point().packetBytes() - headerBytes)
                    * 8
                    * 1e9
                    / run.point().pace().intervalNs();
            assertThat(rate).isCloseTo(expected, withinPercentage(0.001));
            // enough for the playout delay with 0.01 % of late packets
            assertThat(run.point().packets()).isGreaterThanOrEqualTo(36_887);
        });
    }

    static List<Path> experiments() throws IOException {
        try (Stream<Path> files = Files.list(CONFIGS)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".yaml"))
                    .filter(file -> !file.getFileName().toString().startsWith("tune-"))
                    .sorted()
                    .toList();
            assertThat(found).hasSizeGreaterThanOrEqualTo(10);
            return found;
        }
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void statesCommandDurationAndNeedsOfEachFile(Path file) throws Exception {
        String text = Files.readString(file);
        assertThat(text).startsWith("# ").contains("scripts/lagbench sweep configs/" + file.getFileName() + "\n");
        Matcher documented = Pattern.compile("# Takes about (\\d+) (seconds|minutes)\\. Needs (.+)")
                .matcher(text);
        assertThat(documented.find()).isTrue();

        Experiment experiment = reader.read(file);
        assertThat(documented.group(3).startsWith("root"))
                .isEqualTo(experiment.path().lab() != null);
        double documentedS =
                Double.parseDouble(documented.group(1)) * (documented.group(2).equals("minutes") ? 60 : 1);
        double expectedS = 0;
        for (RunSpec run : experiment.runs(1)) {
            // the start of two JVMs; a packet of a warm-up or a flood takes at most a bus cycle
            long hasteNs =
                    run.point().pace().mode() == Pace.Mode.FLOOD ? run.point().packets() * BUS_CYCLE_NS : 0;
            expectedS += 4
                    + (run.point().pace().durationNs(run.point().stampedPackets())
                                    + hasteNs
                                    + run.point().warmUpPackets() * BUS_CYCLE_NS)
                            / 1e9;
            expectedS += transmissionS(experiment, run);
        }
        assertThat(documentedS).isBetween(expectedS / 2.5, expectedS * 1.5);
    }

    /** Returns how long chunks take to pass the slow link of a lab concurrently with its flows, without compression. */
    private static double transmissionS(Experiment experiment, RunSpec run) {
        Network lab = experiment.path().lab();
        TransferSpec transfer = run.point().traffic().transfer();
        if (lab == null || transfer == null || transfer.compression() == null) {
            return 0;
        }
        long flows = lab.flows().stream()
                .mapToLong(Network.CompetingFlow::rateBitsPerS)
                .sum();
        return 8.0
                * run.point().packets()
                * run.point().packetBytes()
                / (lab.forward().rateBitsPerS() - flows);
    }

    @Test
    void comparesGarbageCollectorsOnTwoTransports() throws Exception {
        List<RunSpec> runs = reader.read(CONFIGS.resolve("collectors.yaml")).runs(1);
        assertThat(runs)
                .hasSize(2 * 4 * 3)
                .allSatisfy(run -> assertThat(run.point().observe()).containsExactly(ObservedSource.EVENTS));
        assertThat(runs)
                .extracting(run -> run.point().program().jvmOptions().text())
                .containsOnly("-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseZGC");
    }

    @Test
    void referenceHasDefaults(@TempDir Path directory) throws Exception {
        Path nothing = Files.writeString(directory.resolve("reference.yaml"), "{}");

        assertThat(reader.read(CONFIGS.resolve("reference.yaml"))).isEqualTo(reader.read(nothing));
    }

    @Test
    void referenceDocumentsEveryKey() throws Exception {
        String text = Files.readString(CONFIGS.resolve("reference.yaml"));
        JsonNode tree = new YAMLMapper().readTree(text);
        String comments = text.replaceAll("\\s*\\n\\s*#", "").replaceAll("\\s+", " ");

        for (Map.Entry<String, Parameter<?>> key : reader.keys().entrySet()) {
            JsonNode node = tree;
            for (String part : Arrays.asList(key.getKey().split("\\."))) {
                node = node.path(part);
            }
            assertThat(node.isMissingNode()).as(key.getKey()).isFalse();
            assertThat(comments)
                    .as(key.getKey())
                    .contains("Takes " + key.getValue().accepted())
                    .contains(key.getValue().description());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            tcp      | packet-bytes=23       | packet-bytes: 23 is not accepted; it takes a size from 24 bytes
            udp      | packet-bytes=65508    | packet-bytes: 65508 is not accepted; udp takes a whole number from 24 \
            to 65507.
            ieee1394 | packet-bytes=4097     | packet-bytes: 4097 is not accepted; ieee1394 takes a whole number from \
            24 to 4096.
            ieee1394 | ieee1394.speed=200,   | ieee1394.speed: "200," is not accepted; it takes 100 or 200 or 400 or 800
            ieee1394 | ieee1394.interrupt-interval=8 | ieee1394: interrupt-interval and input-buffer exclude each other
            """)
    void rejectsUnsupportedSettings(String transport, String override, String beginning) {
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> reader.read(
                        CONFIGS.resolve("norris-miller-2001.yaml"), List.of("transports=" + transport, override)))
                .satisfies(failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE))
                .withMessageContaining(beginning);
    }
}
