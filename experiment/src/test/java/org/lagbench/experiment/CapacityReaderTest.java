package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Traffic;

class CapacityReaderTest {
    private final ExperimentReader reader = new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    private Path file(String yaml) throws Exception {
        return Files.writeString(directory.resolve("path.yaml"), yaml);
    }

    @Test
    void writesEqualCapacity() throws Exception {
        Experiment experiment = reader.read(file("capacity: {method: available, budget-mb: 5}\n"));

        assertThat(experiment.capacity()).isEqualTo(new CapacitySpec(CapacitySpec.Method.AVAILABLE, 5));
        assertThat(reader.read(file(experiment.toYaml()))).isEqualTo(experiment);
    }

    @Test
    void hasDefaults() throws Exception {
        assertThat(reader.read(file("capacity: {}\n")).capacity())
                .isEqualTo(new CapacitySpec(CapacitySpec.Method.TCP, 100));
        assertThat(reader.read(file("capacity: none\n")).capacity()).isNull();
        assertThat(reader.read(file("{}\n")).capacity()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            {method: quic}    | 1:20: capacity.method: "quic" is not accepted; it takes tcp or available or udp.
            {budget-mb: 0}    | capacity.budget-mb: 0 is not accepted; it takes a whole number from 1
            {budget: 5}       | 1:12: capacity.budget: there is no such key; did you mean capacity.budget-mb?
            tcp               | capacity: "tcp" is not accepted; it takes none, or method, budget-mb.
            """)
    void locatesMistakes(String capacity, String message) {
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> reader.read(file("capacity: " + capacity + "\n")))
                .withMessageContaining(message);
    }

    @Test
    void readsOnlyPathOfFile() throws Exception {
        Experiment path = reader.readPath(
                file(
                        """
                        traffic: round-trip
                        packet-bytes: [24, 992]
                        repeats: 3
                        stall-timeout: 7s
                        lab: {rate: 10mbit}
                        tcp: {send-buffer: 64KiB}
                        """),
                List.of("transports=tcp", "packet-bytes=396"));

        assertThat(path.runCount()).isOne();
        assertThat(path.traffics().get(0).kind()).isEqualTo(Traffic.ONE_WAY);
        assertThat(path.axes().conditions().get(0).stallTimeout()).hasSeconds(7);
        assertThat(path.path().lab()).isNotNull();
        assertThat(path.axes().transports().get(0).values().get("send-buffer")).containsExactly("65536");
    }
}
