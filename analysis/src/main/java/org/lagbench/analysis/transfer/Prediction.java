package org.lagbench.analysis.transfer;

/**
 * The durations that the models predict for a compressed transfer, and the measured one. Times are in ns.
 *
 * @param bandwidthBytesPerNs the rate of the uncompressed transfer of the same data over the same network
 * @param uncompressedNs the measured total of that uncompressed transfer
 * @param measuredNs the measured total of the compressed transfer
 * @param simpleNs by formulas (2) to (5)
 * @param overlapNs by formula (6)
 * @param threeStagesNs with decompression as a third stage
 */
public record Prediction(
        double bandwidthBytesPerNs,
        double uncompressedNs,
        double measuredNs,
        double simpleNs,
        double overlapNs,
        double threeStagesNs) {
    /**
     * Predicts a compressed transfer from its own measured speed and ratio.
     *
     * @param none the metrics of the uncompressed transfers of the same data
     */
    public static Prediction of(CompressionMetrics compressed, CompressionMetrics none) {
        double rawBytes = compressed.encodedBytes() * compressed.ratio();
        return of(compressed, none, rawBytes / compressed.medianCompressNs(), compressed.ratio());
    }

    /**
     * Predicts a compressed transfer.
     *
     * @param none the metrics of the uncompressed transfers of the same data
     * @param speed raw bytes compressed per ns
     * @param ratio raw bytes per encoded byte
     */
    static Prediction of(CompressionMetrics compressed, CompressionMetrics none, double speed, double ratio) {
        double bandwidth = none.encodedBytes() / none.medianTotalNs();
        double chunks = compressed.chunks();
        double rawBytes = compressed.encodedBytes() * compressed.ratio();
        double compressNs = rawBytes / speed / chunks;
        double transmitNs = rawBytes / ratio / chunks / bandwidth;
        double copyNs = Math.min(compressed.medianCopyNs(), transmitNs);
        return new Prediction(
                bandwidth,
                none.medianTotalNs(),
                compressed.medianTotalNs(),
                CompressionModels.simple(rawBytes, speed, ratio, bandwidth),
                CompressionModels.overlap(chunks, compressNs, copyNs, transmitNs),
                CompressionModels.threeStages(
                        chunks, compressNs, copyNs, transmitNs, compressed.medianDecompressNs() / chunks));
    }

    /** Returns the relative error of a predicted time. */
    public double error(double predictedNs) {
        return (predictedNs - measuredNs) / measuredNs;
    }

    /**
     * Returns whether a model that predicts this time for the compressed transfer would choose the faster of the two.
     */
    public boolean isRight(double predictedNs) {
        return (predictedNs < uncompressedNs) == (measuredNs < uncompressedNs);
    }
}
