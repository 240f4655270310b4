package org.lagbench.analysis.transfer;

import java.util.List;

/**
 * The stages of one compressed run as predicted by formulas (2) to (5) and as measured, as in figures 9 to 11 of Hu
 * (2003). A prediction needs speed and ratio before the transfer, so they are taken from the other runs with the same
 * codec and data. Times are in ns, sizes in bytes. All values are for one transfer.
 *
 * @param total the predictions of all models for the whole transfer
 * @param compressNs predicted time to compress, formula (3)
 * @param measuredCompressNs time to compress
 * @param sendNs predicted time to send, formula (4)
 * @param measuredSendNs time in the calls that sent the chunks
 * @param encodedBytes predicted size after compression, formula (5)
 * @param measuredEncodedBytes size after compression
 */
public record StagePrediction(
        Prediction total,
        double compressNs,
        double measuredCompressNs,
        double sendNs,
        double measuredSendNs,
        double encodedBytes,
        double measuredEncodedBytes) {
    /**
     * Predicts a run.
     *
     * @param none the metrics of the uncompressed transfers of the same data over the same network
     * @param others the other runs with the same codec and data, of any size and over any network; at least one
     */
    public static StagePrediction of(CompressionMetrics run, CompressionMetrics none, List<CompressionMetrics> others) {
        double rawBytes = sum(others, true);
        double speed = rawBytes
                / others.stream()
                        .mapToDouble(metrics -> metrics.medianCompressNs() * metrics.transfers())
                        .sum();
        double ratio = rawBytes / sum(others, false);
        Prediction total = Prediction.of(run, none, speed, ratio);
        double bytes = run.encodedBytes() * run.ratio();
        return new StagePrediction(
                total,
                bytes / speed,
                run.medianCompressNs(),
                bytes / ratio / total.bandwidthBytesPerNs(),
                run.medianSendNs(),
                bytes / ratio,
                run.encodedBytes());
    }

    private static double sum(List<CompressionMetrics> runs, boolean raw) {
        return runs.stream()
                .mapToDouble(run -> run.encodedBytes() * run.transfers() * (raw ? run.ratio() : 1))
                .sum();
    }
}
