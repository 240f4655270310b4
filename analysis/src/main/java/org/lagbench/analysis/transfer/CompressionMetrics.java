package org.lagbench.analysis.transfer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.TransferSpec;

/**
 * The metrics of the compressed transfers of one run, or of several runs of one point pooled. Times are medians over
 * the transfers.
 *
 * @param transfers number of answered transfers, at least 1
 * @param chunks number of chunks of each
 * @param ratio raw bytes per encoded byte, of all transfers
 * @param compressed part of the chunks that a codec has shortened, from 0 to 1
 * @param chosen part of the chunks for which a codec was chosen, whether it shortened them or not, from 0 to 1
 * @param medianTotalNs from just before the first chunk was compressed until the reply was received
 * @param medianCompressNs time to compress all chunks of a transfer
 * @param medianSendNs time in the calls that sent them
 * @param medianDecompressNs time to decompress and verify them
 * @param medianCopyNs the smallest time of a call that sent a chunk
 * @param encodedBytes mean number of bytes sent for a transfer, without headers
 * @param changedRuns number of runs whose received bytes differ from those sent, or in which a side reported no
 *     checksum
 */
public record CompressionMetrics(
        int transfers,
        long chunks,
        double ratio,
        double compressed,
        double chosen,
        double medianTotalNs,
        double medianCompressNs,
        double medianSendNs,
        double medianDecompressNs,
        double medianCopyNs,
        double encodedBytes,
        int changedRuns) {
    private static final String TITLE = "Compression";
    private static final String ID = "transfers.compression.";

    /** The metrics of compression. */
    static final List<Metric<CompressionMetrics>> METRICS = List.of(
            Metric.<CompressionMetrics>count(
                            ID + "transfers",
                            TITLE,
                            "Transfers",
                            "transfers",
                            Combination.SUM,
                            CompressionMetrics::transfers)
                    .higherIsBetter(),
            Metric.count(ID + "chunks", TITLE, "Chunks", "chunks", Combination.MAX, CompressionMetrics::chunks),
            Metric.<CompressionMetrics>fraction(
                            ID + "ratio", TITLE, "Raw by encoded bytes", Combination.MEDIAN, CompressionMetrics::ratio)
                    .higherIsBetter(),
            ofTransfers("compressed", "Compressed chunks", CompressionMetrics::compressed),
            ofTransfers("chosen", "Chunks with a codec", CompressionMetrics::chosen),
            time("medianTotal", "Median total", CompressionMetrics::medianTotalNs),
            time("medianCompress", "Median compression", CompressionMetrics::medianCompressNs),
            time("medianSend", "Median sending", CompressionMetrics::medianSendNs),
            time("medianDecompress", "Median decompression", CompressionMetrics::medianDecompressNs),
            time("medianCopy", "Median copy", CompressionMetrics::medianCopyNs),
            Metric.size(ID + "encodedBytes", TITLE, "Encoded", Combination.MEDIAN, CompressionMetrics::encodedBytes),
            Metric.count(
                    ID + "changedRuns",
                    TITLE,
                    "Runs with changed bytes",
                    "runs",
                    Combination.SUM,
                    CompressionMetrics::changedRuns));

    private static Metric<CompressionMetrics> ofTransfers(
            String name, String statistic, Metric.Getter<CompressionMetrics> share) {
        return Metric.quotient(ID + name, TITLE, statistic, share, CompressionMetrics::transfers)
                .higherIsBetter();
    }

    private static Metric<CompressionMetrics> time(
            String name, String statistic, Metric.Getter<CompressionMetrics> ns) {
        return Metric.time(ID + name, TITLE, statistic, Combination.MEDIAN, ns);
    }

    private static final String CHECKSUM = "chunksCrc32c";

    /**
     * Computes the metrics of runs of one point.
     *
     * @param runs the directories of the runs with their records
     * @return null if no transfer was compressed and answered
     */
    public static @Nullable CompressionMetrics of(Map<Path, RunRecord> runs) throws LagbenchException {
        List<CompressedTransfer> transfers = new ArrayList<>();
        int changedRuns = 0;
        for (Map.Entry<Path, RunRecord> run : runs.entrySet()) {
            List<CompressedTransfer> read = CompressedTransfer.read(run.getKey(), run.getValue());
            transfers.addAll(read);
            changedRuns += read.isEmpty() || isUnchanged(run.getValue()) ? 0 : 1;
        }
        if (transfers.isEmpty()) {
            return null;
        }
        double encodedBytes = sum(transfers, CompressedTransfer::encodedBytes);
        double chunks = sum(transfers, CompressedTransfer::chunks);
        return new CompressionMetrics(
                transfers.size(),
                transfers.get(0).chunks(),
                sum(transfers, CompressedTransfer::rawBytes) / encodedBytes,
                sum(transfers, CompressedTransfer::compressed) / chunks,
                sum(transfers, CompressedTransfer::chosen) / chunks,
                median(transfers, CompressedTransfer::totalNs),
                median(transfers, CompressedTransfer::compressNs),
                median(transfers, CompressedTransfer::sendNs),
                median(transfers, CompressedTransfer::decompressNs),
                median(transfers, CompressedTransfer::minSendNs),
                encodedBytes / transfers.size(),
                changedRuns);
    }

    private static boolean isUnchanged(RunRecord run) {
        RunRecord.Side receiver = run.receiver();
        Object sent = run.sender().metadata().get(CHECKSUM);
        return receiver != null
                && sent != null
                && Objects.equals(sent, receiver.metadata().get(CHECKSUM));
    }

    private static double sum(List<CompressedTransfer> transfers, ToLongFunction<CompressedTransfer> value) {
        return (double) transfers.stream().mapToLong(value).sum();
    }

    private static double median(List<CompressedTransfer> transfers, ToLongFunction<CompressedTransfer> value) {
        return Quantile.median(
                transfers.stream().mapToLong(value).asDoubleStream().toArray());
    }

    /**
     * An answered transfer whose pieces were chunks. Times are in ns.
     *
     * @param chunks number of chunks
     * @param compressed number of chunks that a codec shortened
     * @param chosen number of chunks for which a codec was chosen, whether it shortened them or not
     * @param encodedBytes bytes sent for all chunks, without headers
     * @param totalNs from just before the first chunk was compressed until the reply was received
     * @param compressNs time to compress, summed over the chunks
     * @param sendNs time in the calls that sent the chunks, summed over the chunks
     * @param minSendNs the smallest time of such a call, which then only copied the chunk to the socket buffer
     * @param decompressNs time to decompress and verify, summed over the chunks
     */
    record CompressedTransfer(
            long chunks,
            long compressed,
            long chosen,
            long rawBytes,
            long encodedBytes,
            long totalNs,
            long compressNs,
            long sendNs,
            long minSendNs,
            long decompressNs) {
        /** Reads the answered transfers of a run. */
        static List<CompressedTransfer> read(Path directory, RunRecord run) throws LagbenchException {
            Path chunksFile = directory.resolve(ChunkCapture.SENDER_FILE_NAME);
            Path decodedFile = directory.resolve(ChunkCapture.RECEIVER_FILE_NAME);
            List<CompressedTransfer> transfers = new ArrayList<>();
            if (!Files.exists(chunksFile) || !Files.exists(decodedFile)) {
                return transfers;
            }
            TransferSpec spec = Objects.requireNonNull(run.point().traffic().transfer(), "other traffic");
            long chunks = spec.pieces(run.point().packetBytes());
            try (CaptureReader answered = CaptureReader.open(directory.resolve(TransferFiles.TRANSFERS_FILE_NAME));
                    CaptureReader sent = CaptureReader.open(chunksFile);
                    CaptureReader decoded = CaptureReader.open(decodedFile)) {
                for (long record = 0; record < answered.records(); record++) {
                    long first = answered.value(record, answered.field("transfer")) * chunks;
                    if (first + chunks <= Math.min(sent.records(), decoded.records())) {
                        long answeredNs = answered.value(record, answered.field("answered_ns"));
                        transfers.add(of(sent, decoded, first, first + chunks, answeredNs));
                    }
                }
            }
            return transfers;
        }

        private static CompressedTransfer of(
                CaptureReader sent, CaptureReader decoded, long first, long end, long answeredNs)
                throws LagbenchException {
            int codec = sent.field(ChunkCapture.CODEC);
            int choice = sent.field(ChunkCapture.CHOSEN_CODEC);
            long compressed = 0;
            long chosen = 0;
            long minSendNs = Long.MAX_VALUE;
            for (long chunk = first; chunk < end; chunk++) {
                compressed += sent.value(chunk, codec) == 0 ? 0 : 1;
                chosen += sent.value(chunk, choice) == 0 ? 0 : 1;
                minSendNs = Math.min(
                        minSendNs,
                        sent.value(chunk, sent.field("send_end_ns")) - sent.value(chunk, sent.field("send_begin_ns")));
            }
            return new CompressedTransfer(
                    end - first,
                    compressed,
                    chosen,
                    sum(sent, "raw_bytes", first, end),
                    sum(sent, "encoded_bytes", first, end),
                    answeredNs - sent.value(first, sent.field("compress_begin_ns")),
                    difference(sent, "compress", first, end),
                    difference(sent, "send", first, end),
                    Math.max(0, minSendNs),
                    difference(decoded, "decompress", first, end));
        }

        private static long difference(CaptureReader capture, String stage, long first, long end)
                throws LagbenchException {
            return sum(capture, stage + "_end_ns", first, end) - sum(capture, stage + "_begin_ns", first, end);
        }

        /** Returns the sum. A sum of stamps may overflow, but the difference of two such sums is still correct. */
        private static long sum(CaptureReader capture, String name, long first, long end) throws LagbenchException {
            int field = capture.field(name);
            long sum = 0;
            for (long chunk = first; chunk < end; chunk++) {
                sum += capture.value(chunk, field);
            }
            return sum;
        }
    }

    /**
     * How well a policy chose between its codec and no compression, compared with transfers of one choice for all
     * chunks.
     *
     * @param isCompressionFaster whether compressing every chunk was faster than compressing none
     * @param right part of the chunks for which the policy made the faster choice, from 0 to 1
     * @param slowdown the policy's total time divided by the total time of the faster choice
     */
    public record PolicyChoice(boolean isCompressionFaster, double right, double slowdown) {
        /**
         * Compares the transfers of a policy.
         *
         * @param none the same transfers with no chunk compressed
         * @param codec the same transfers with every chunk compressed by the policy's codec
         */
        public static PolicyChoice of(CompressionMetrics policy, CompressionMetrics none, CompressionMetrics codec) {
            boolean isCompressionFaster = codec.medianTotalNs() < none.medianTotalNs();
            return new PolicyChoice(
                    isCompressionFaster,
                    isCompressionFaster ? policy.chosen() : 1 - policy.chosen(),
                    policy.medianTotalNs() / Math.min(codec.medianTotalNs(), none.medianTotalNs()));
        }
    }
}
