package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.capacity.TransferLimit;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.transfer.CodecAdvice;
import org.lagbench.analysis.transfer.CodecAdvice.Chunks;
import org.lagbench.cli.AdviseCommand.CompressionCommand;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.table.AdviceReport;
import org.lagbench.report.table.CapacityReport;
import org.lagbench.report.table.TableFormat;

class AdviseCommandTest {
    private static Probe probe(double bitsPerS) {
        ProbeVerdict verdict = new ProbeVerdict(
                TransferLimit.WINDOW, new Interval(bitsPerS, Double.NaN, Double.NaN), 1_000_000, 1_000_000, 10, 1_448);
        return new Probe(1_000_000, 1e9, verdict);
    }

    /** A codec that halves the data, much faster than a path of 1 MB/s. */
    private static AdviceReport report(String unfilledReason) {
        Interval bandwidth = new Interval(1e6, 1e6, 1e6);
        Chunks chunks = new Chunks(
                1_000, List.of(0L, 1L), List.of(500L, 500L), List.of(1_000L, 1_000L), List.of(1_000L, 1_000L));
        return new AdviceReport(bandwidth, unfilledReason, List.of(CodecAdvice.of("lz4", chunks, bandwidth)));
    }

    @Test
    void recommendsCodecOnlyForFilledPath() {
        AdviceReport filled = report("");
        assertThat(filled.use()).isEqualTo("lz4");
        assertThat(filled.result().text(TableFormat.TEXT))
                .contains("Use lz4: long transfers of this data are 2.00 times as fast");
        assertThat(filled.result().text(TableFormat.JSON))
                .contains("\"use\" : \"lz4\"", "\"isPathFilled\" : true", "\"bitsPerS\" : 8000000.0", "\"gain\" : 2.0");

        AdviceReport unfilled = report(CapacityReport.unfilledReason(List.of(probe(8e6)), Optional.empty()));
        assertThat(unfilled.use()).isEqualTo("none");
        assertThat(unfilled.result().text(TableFormat.TEXT))
                .contains(
                        "it carries at least 8.00 Mbit/s", "Use none", "the window limited the probes", "send-buffer");
        assertThat(unfilled.result().text(TableFormat.JSON)).contains("\"use\" : \"none\"", "\"isPathFilled\" : false");
    }

    @Test
    void recommendsTheFastestCodecThatSurelyPays() {
        AdviceReport report = new AdviceReport(
                new Interval(1e6, 1e6, 1e6),
                "",
                List.of(advice("gzip-6", 1.3, 0.99), advice("lz4", 1.2, 1.1), advice("zstd-1", 1.1, 1.05)));
        assertThat(report.use()).isEqualTo("lz4");
        assertThat(report.result().text(TableFormat.TEXT))
                .contains("Use lz4: long transfers of this data are 1.20 times as fast (1.10 to 2.00)");
    }

    private static CodecAdvice advice(String codec, double gain, double low) {
        return new CodecAdvice(codec, 2, 1e6, 1e6, new Interval(gain, low, 2));
    }

    @Test
    void assumesCarriedRateOfUnfilledPath() throws Exception {
        List<Probe> probes = List.of(probe(4e6), probe(Double.NaN));
        assertThat(CompressionCommand.bandwidth(probes, Optional.empty(), "").value())
                .isEqualTo(1e6);
    }

    @Test
    void reportsPathWithoutAnyRate() {
        assertThatThrownBy(() -> CompressionCommand.bandwidth(List.of(), Optional.empty(), "the reason"))
                .isInstanceOf(LagbenchException.class)
                .hasMessage("The rate of this path is unknown: the reason.");
    }

    @Test
    void refusesFileWithoutWholeChunk(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("small"), new byte[65_535]);
        CommandResult advise = CommandResult.of("advise", "compression", "--data", file.toString());
        assertThat(advise.exitCode()).isEqualTo(2);
        assertThat(advise.err()).contains("has 65535 bytes, less than a chunk of 65536; use a larger file.");
    }
}
