package org.lagbench.experiment;

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
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TransferSpec;

/** The keys of an experiment with transfers. */
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
            assertThat(run.point().traffic().kind()).isEqualTo(Traffic.TRANSFER);
            assertThat(run.point().packetBytes()).isEqualTo(16_384);
            assertThat(run.point().pace()).isEqualTo(Pace.flood());
        });
        assertThat(experiment.runs(1).stream().map(run -> run.point().traffic().transfer()))
                .containsExactlyInAnyOrder(new TransferSpec(65_536, 3, true), new TransferSpec(1_048_576, 3, true));
        assertThat(experiment.runs(1).stream().map(run -> run.point().packets()))
                .containsExactlyInAnyOrder(12L, 192L);
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
    }

    @Test
    void otherTrafficKeepsItsDefaults() throws Exception {
        Experiment experiment = read("traffic: [one-way, transfer]\ntransports: tcp\npacket-bytes: 1024\npackets: 7\n");

        assertThat(experiment.axes().paces()).containsExactly(ExperimentKeys.ONE_PACE.defaultValue());
        assertThat(experiment.runs(1).stream().map(run -> run.point().packets()))
                .containsExactlyInAnyOrder(7L, 640L);
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
    }

    @Test
    void messagesNameEveryPolicyAndKindOfData() {
        assertThat(CompressionSpec.CODEC_ACCEPTED).contains(TextEnum.accepted(CompressionSpec.ChunkPolicy.class));
        assertThat(CompressionSpec.DATA_ACCEPTED).startsWith(TextEnum.accepted(CompressionSpec.DataKind.class));
    }

    @Test
    void codecsAndDataAreAxesOfChunks() throws Exception {
        Experiment experiment = read(
                """
                transports: tcp
                traffic: transfer
                codec: [off, gzip-6, paper]
                data: [text, html+random]
                packet-bytes: 32KiB
                transfers: 1
                """);

        assertThat(experiment.runs(1))
                .allSatisfy(run -> assertThat(run.point().packetBytes()).isEqualTo(32_768));
        assertThat(experiment.runs(1).stream()
                        .map(run -> run.point().traffic().transfer().compression()))
                .containsExactlyInAnyOrder(
                        null,
                        new CompressionSpec("gzip-6", "text"),
                        new CompressionSpec("gzip-6", "html+random"),
                        new CompressionSpec("paper", "text"),
                        new CompressionSpec("paper", "html+random"));
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
            codec: gzip-6 | codec: only traffic: transfer has it
            traffic: transfer#data: html | data: only compressed transfers have it; leave it out, or name a codec.
            traffic: transfer#codec: gzip-6#data: css | it takes text or binary
            traffic: transfer#codec: GZIP | it takes off, none, gzip-1 to gzip-9
            traffic: transfer#codec: lzma | There is no codec "lzma".
            traffic: transfer#codec: gzip-6#engine: c | engine: c does not compress transfers over tcp
            traffic: transfer#codec: gzip-6#tcp: {no-delay: [true, false]} | java does not compress with \
            no-delay: false.
            """)
    void refusesImpossibleTransfers(String yaml, String sentence) throws Exception {
        assertThat(new ExperimentMistakes(directory).in("transports: tcp\n" + yaml.replace('#', '\n') + "\n"))
                .anySatisfy(line -> assertThat(line).contains(sentence));
    }
}
