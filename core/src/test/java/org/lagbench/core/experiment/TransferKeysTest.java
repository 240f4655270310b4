package org.lagbench.core.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TransferSpec;

/** The keys of an experiment that makes transfers. */
class TransferKeysTest {
    private final Path directory;

    TransferKeysTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private Experiment read(String yaml) throws IOException, LagbenchException {
        return new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL)
                .read(Files.writeString(directory.resolve("try.yaml"), yaml), List.of());
    }

    @Test
    void sizesAreAnAxisAndPiecesArePackets() throws Exception {
        Experiment experiment = read(
                """
                transports: tcp
                traffic: transfer
                transfer-bytes: [64KiB, 1MiB]
                transfers: 3
                connection: kept
                """);

        assertThat(experiment.runs(1)).hasSize(2).allSatisfy(run -> {
            assertThat(run.traffic().kind()).isEqualTo(Traffic.TRANSFER);
            assertThat(run.packetBytes()).isEqualTo(16_384);
            assertThat(run.pace()).isEqualTo(Pace.flood());
        });
        assertThat(experiment.runs(1).stream().map(run -> run.traffic().transfer()))
                .containsExactlyInAnyOrder(new TransferSpec(65_536, 3, true), new TransferSpec(1_048_576, 3, true));
        assertThat(experiment.runs(1).stream().map(RunSpec::packets)).containsExactlyInAnyOrder(12L, 192L);
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
    }

    @Test
    void otherTrafficKeepsItsDefaults() throws Exception {
        Experiment experiment = read("traffic: [one-way, transfer]\ntransports: tcp\npacket-bytes: 1024\npackets: 7\n");

        assertThat(experiment.paces()).containsExactly(PaceReader.DEFAULT);
        assertThat(experiment.runs(1).stream().map(RunSpec::packets)).containsExactlyInAnyOrder(7L, 640L);
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            traffic: transfer#packet-bytes: 992 | packet-bytes: 992 is not accepted with transfer-bytes: 65536; a \
            transfer consists of whole packets.
            traffic: transfer#packet-bytes: 32#transfer-bytes: 64GiB | a run has at most 1000000000 packets.
            traffic: transfer#transfers: 0 | it takes a whole number from 1 to 10000.
            traffic: transfer#connection: old | it takes new or kept.
            traffic: transfer#transfer-bytes: 8 | it takes a size from 24 to 1099511627776 bytes
            transfer-bytes: 1MiB | only traffic: transfer has it; leave it out, or name that traffic.
            connection: kept | only traffic: transfer has it
            """)
    void refusesWhatNoRunCanTransfer(String yaml, String sentence) throws Exception {
        assertThat(new ExperimentMistakes(directory).in("transports: tcp\n" + yaml.replace('#', '\n') + "\n"))
                .anySatisfy(line -> assertThat(line).contains(sentence));
    }
}
