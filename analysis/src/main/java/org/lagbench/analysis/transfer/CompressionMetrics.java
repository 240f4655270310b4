package org.lagbench.analysis.transfer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * The metrics of the compressed transfers of one run, or of several runs of one point pooled. Times are medians over
 * the transfers.
 *
 * @param transfers number of answered transfers, at least 1
 * @param chunks number of chunks of each
 * @param ratio raw bytes per encoded byte, of all transfers
 * @param compressed part of the chunks that a codec has shortened, from 0 to 1
 * @param chosen part of the chunks for which a codec was chosen, whether it shortened them or not, from 0 to 1
 * @param medianTotalNs from just before the first chunk was compressed until the answer was received
 * @param medianCompressNs time to compress all chunks of a transfer
 * @param medianSendNs time in the calls that sent them
 * @param medianDecompressNs time to decompress and verify them
 * @param medianCopyNs the least time of a call that sent a chunk
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
                median(transfers, CompressedTransfer::leastSendNs),
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
}
