package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.text.Endpoint;

class OverridesTest {
    private static final String YAML =
            """
            packets: 5
            transports: [tcp, udp]
            packet-bytes: 24
            pace: {mode: spin, interval: 1ms}
            key-file: in-the-file.key
            tcp: {no-delay: false}
            """;

    private final ExperimentReader reader = new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL);
    private final Path directory;

    OverridesTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private Experiment with(String... overrides) throws IOException, LagbenchException {
        return reader.read(Files.writeString(directory.resolve("try.yaml"), YAML), List.of(overrides));
    }

    @Test
    void replacesValueOrAxis() throws Exception {
        assertThat(with("packets=7").base().packets()).isEqualTo(7);
        assertThat(with("packet-bytes=[24,992]").packetBytes(TrafficSpec.ONE_WAY))
                .containsExactly(24, 992);
        assertThat(with("transports=udp").axes().transports())
                .extracting(SettingAxes::name)
                .containsExactly("udp");
        assertThat(with("pace=flood").axes().paces()).containsExactly(Pace.flood());
    }

    @Test
    void replacesOneKeyOfSection() throws Exception {
        assertThat(with("tcp.send-buffer=[auto, 64KiB]")
                        .axes()
                        .transports()
                        .get(0)
                        .values())
                .containsEntry("send-buffer", List.of("auto", "65536"))
                .containsEntry("no-delay", List.of("false"));
        assertThat(with("udp.receive-buffer=1MiB").axes().transports().get(1).values())
                .containsEntry("receive-buffer", List.of("1048576"));
        assertThat(with("pace.interval=2ms").axes().paces()).containsExactly(new Pace(Pace.Mode.SPIN, 2_000_000));
    }

    @Test
    void lastOverrideWins() throws Exception {
        assertThat(with("packets=7", "packets=8").base().packets()).isEqualTo(8);
        assertThat(with("tcp.no-delay=true", "tcp={}")
                        .axes()
                        .transports()
                        .get(0)
                        .values())
                .containsEntry("no-delay", List.of("true"));
    }

    @Test
    void replacesInvalidValue() throws Exception {
        Path file = Files.writeString(directory.resolve("wrong.yaml"), "packets: none");
        assertThat(reader.read(file, List.of("packets=9")).base().packets()).isEqualTo(9);
    }

    @Test
    void acceptsAddressesAndPathsWithoutQuotes() throws Exception {
        assertThat(with("receiver=[::1]:5001").path().receiver()).isEqualTo(new Endpoint("::1", 5001));
        assertThat(with("key-file=a: [b.key").path().keyFile())
                .isEqualTo(Path.of("a: [b.key").toAbsolutePath());
        assertThat(with("key-file=null").path().keyFile()).isNull();
    }

    @Test
    void resolvesPathsAgainstFileOrCurrentDirectory() throws Exception {
        assertThat(with().path().keyFile()).isEqualTo(directory.resolve("in-the-file.key"));
        assertThat(with("key-file=x.key").path().keyFile())
                .isEqualTo(Path.of("x.key").toAbsolutePath());
    }

    @Test
    void buildsExperimentWithoutFile() throws Exception {
        Experiment experiment = reader.build("run", List.of("transports=tcp", "packets=7", "pace.interval=2ms"));
        assertThat(experiment.name()).isEqualTo("run");
        assertThat(experiment.base().packets()).isEqualTo(7);
        assertThat(experiment.axes().paces()).containsExactly(new Pace(Pace.Mode.HYBRID, 2_000_000));
        assertThat(experiment.packetBytes(TrafficSpec.ONE_WAY)).containsExactly(992, 396, 24);
        assertThatThrownBy(() -> reader.build("run", List.of("packets=0")))
                .isInstanceOf(LagbenchException.class)
                .hasMessageStartingWith("packets: 0 is not accepted; it takes a whole number from 1");
    }
}
