package org.lagbench.analysis.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.transfer.CompressionMetrics.PolicyChoice;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;

/** Metrics of captures with known stamps. */
class CompressionMetricsTest {
    private static final double EXACT = 1e-9;

    /** A transfer of two chunks of 1,000 bytes, for which gzip-6 was chosen: 400 and 1,000 are sent. */
    private static void write(Path directory) throws Exception {
        try (ChunkCapture sent = ChunkCapture.ofSender(directory.resolve(SenderCapture.FILE_NAME), 2)) {
            sent.append(-1, 1_000, 1, 1, 6, 1, 6, 1, 2, 3, 4, 0, -1, -1, -1); // a chunk of the warm-up
            sent.append(0, 1_000, 400, 1, 6, 1, 6, 100, 180, 190, 200, 0, -1, -1, -1);
            sent.append(1, 1_000, 1_000, 0, 0, 1, 6, 210, 240, 250, 290, 440, -1, -1, -1);
        }
        writeReply(directory);
    }

    private static void writeReply(Path directory) throws Exception {
        try (ChunkCapture received = ChunkCapture.ofReceiver(directory.resolve(ReceiverCapture.FILE_NAME), 2);
                GrowingCapture answered = GrowingCapture.create(
                        directory.resolve(TransferFiles.TRANSFERS_FILE_NAME), TransferFiles.TRANSFERS_FIELDS)) {
            received.append(0, 300, 310, 330);
            received.append(1, 400, 405, 410);
            answered.append(0, 50, 60, 500);
        }
    }

    private static RunRecord run() {
        return run(Map.of(), Map.of());
    }

    private static RunRecord run(Map<String, Object> ofSender, Map<String, Object> ofReceiver) {
        return new RunRecord(
                new RunSpec(
                        "run",
                        new Point(
                                "tcp",
                                1_000,
                                2,
                                0,
                                Pace.flood(),
                                TrafficSpec.of(
                                        new TransferSpec(2_000, 1, false, new CompressionSpec("gzip-6", "text"))),
                                new Settings(Map.of()),
                                new EngineSpec("java", JvmOptions.NONE),
                                Set.of(),
                                RunConditions.DEFAULT),
                        1,
                        null),
                "TCP/IP",
                RunRecord.State.COMPLETE,
                null,
                Instant.parse("2026-11-20T00:00:00Z"),
                Instant.parse("2026-11-20T00:00:01Z"),
                new RunRecord.Side("here", "boot", "17", ofSender),
                new RunRecord.Side("here", "boot", "17", ofReceiver),
                null,
                null,
                null,
                null);
    }

    @Test
    void sumsTheStagesOfEachTransfer(@TempDir Path directory) throws Exception {
        write(directory);

        CompressionMetrics metrics = CompressionMetrics.of(Map.of(directory, run()));

        assertThat(metrics).isNotNull();
        assertThat(metrics.transfers()).isEqualTo(1);
        assertThat(metrics.chunks()).isEqualTo(2);
        assertThat(metrics.ratio()).isCloseTo(2_000.0 / 1_400, within(EXACT));
        assertThat(metrics.compressed()).isCloseTo(.5, within(EXACT));
        assertThat(metrics.chosen()).isCloseTo(1, within(EXACT));
        assertThat(metrics.medianTotalNs()).isCloseTo(400, within(EXACT));
        assertThat(metrics.medianCompressNs()).isCloseTo(80 + 30, within(EXACT));
        assertThat(metrics.medianSendNs()).isCloseTo(10 + 40, within(EXACT));
        assertThat(metrics.medianCopyNs()).isCloseTo(10, within(EXACT));
        assertThat(metrics.medianDecompressNs()).isCloseTo(20 + 5, within(EXACT));
        assertThat(metrics.changedRuns()).as("no side has a checksum").isEqualTo(1);
    }

    /** 600 of 1,400 encoded bytes arrive in 200 ns after the first call: 3/7 of the 2,000 bytes of the transfer. */
    @Test
    void countsRawAndEncodedBytes(@TempDir Path directory) throws Exception {
        write(directory);
        try (GrowingCapture sent =
                        GrowingCapture.create(directory.resolve(SenderCapture.FILE_NAME), List.of("sent_ns"));
                GrowingCapture calls = GrowingCapture.create(
                        directory.resolve(ReceiverCapture.BYTES_FILE_NAME),
                        List.of("transfer", "bytes", "received_ns"))) {
            sent.append(100);
            sent.append(210);
            calls.append(0, 800, 200);
            calls.append(0, 1_400, 400);
        }

        TransferMetrics metrics = TransferMetrics.of(Map.of(directory, run()));

        assertThat(metrics).isNotNull();
        assertThat(metrics.elapsedBitsPerS().median()).isCloseTo(8 * 2_000 / 400e-9, within(1.0));
        assertThat(metrics.receiverBitsPerS().median()).isCloseTo(8 * 2_000 * 3 / 7.0 / 200e-9, within(1.0));
        assertThat(metrics.encodedBitsPerS().median()).isCloseTo(8 * 600 / 200e-9, within(1.0));
    }

    /** The transfer takes 400 ns. */
    @Test
    void countsACodecThatDidNotShortenAsChosen(@TempDir Path directory) throws Exception {
        write(directory);
        CompressionMetrics policy = CompressionMetrics.of(Map.of(directory, run()));
        CompressionMetrics none = new CompressionMetrics(1, 2, 1, 0, 0, 300, 0, 300, 0, 0, 2_000, 0);
        CompressionMetrics slow = new CompressionMetrics(1, 2, 1.4, .5, 1, 800, 600, 200, 0, 0, 1_400, 0);
        CompressionMetrics fast = new CompressionMetrics(1, 2, 1.4, .5, 1, 200, 10, 190, 0, 0, 1_400, 0);

        assertThat(policy).isNotNull();
        assertThat(PolicyChoice.of(policy, none, slow).right()).isZero();
        assertThat(PolicyChoice.of(policy, none, fast).right()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"1a2b, 1a2b, 0", "1a2b, 1a2c, 1"})
    void countsRunsWithDifferentChecksums(String sent, String received, int changed, @TempDir Path directory)
            throws Exception {
        write(directory);
        RunRecord run = run(Map.of("chunksCrc32c", sent), Map.of("chunksCrc32c", received));
        assertThat(CompressionMetrics.of(Map.of(directory, run)))
                .extracting(CompressionMetrics::changedRuns)
                .isEqualTo(changed);
    }

    @Test
    void hasNoMetricsWithoutChunks(@TempDir Path directory) throws Exception {
        assertThat(CompressionMetrics.of(Map.of(directory, run()))).isNull();
    }

    /**
     * Half the bytes take half the time to transmit. In the simple model compression adds its time; in formula (6) it
     * overlaps with transmission.
     */
    @Test
    void predictsFromTheBandwidthWithoutCodec() {
        CompressionMetrics none = new CompressionMetrics(1, 100, 1, 0, 0, 20e6, 0, 20e6, 0, 0, 2e6, 0);
        CompressionMetrics half = new CompressionMetrics(1, 100, 2, 1, 1, 12e6, 5e6, 7e6, 1e6, 0, 1e6, 0);

        Prediction prediction = Prediction.of(half, none);

        assertThat(prediction.bandwidthBytesPerNs()).isCloseTo(.1, within(EXACT));
        assertThat(prediction.simpleNs()).isCloseTo(5e6 + 10e6, within(1e-3));
        assertThat(prediction.overlapNs()).isCloseTo(5e4 + 10e6, within(1e-3));
        assertThat(prediction.threeStagesNs()).isCloseTo(5e4 + 1e4 + 10e6, within(1e-3));
        assertThat(prediction.error(prediction.simpleNs())).isCloseTo(.25, within(EXACT));
        assertThat(prediction.isRight(prediction.simpleNs())).isTrue();
        assertThat(prediction.isRight(21e6)).isFalse();
    }
}
