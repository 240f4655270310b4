package org.lagbench.analysis.transfer;

/**
 * The models of a compressed transfer of Hu, "Network Aware Data Transmission with Compression" (2003), and one with
 * decompression. Times are in any one unit; bandwidths and speeds are in bytes per that unit.
 */
public final class CompressionModels {
    private CompressionModels() {}

    /**
     * Returns the time of a compressed transfer by the simple model, formulas (2) to (5): compression, then
     * transmission.
     *
     * @param speed raw bytes compressed per time
     * @param ratio raw bytes per compressed byte
     */
    public static double simple(double bytes, double speed, double ratio, double bandwidth) {
        return bytes / speed + bytes / ratio / bandwidth;
    }

    /**
     * Returns the bandwidth below which the simple model predicts a gain from compression: V (1 − 1/r), or 0 if the
     * ratio is not above 1.
     */
    public static double simpleCrossover(double speed, double ratio) {
        return Math.max(0, speed * (1 - 1 / ratio));
    }

    /**
     * Returns the time of a compressed transfer by formula (6): the socket buffer takes a chunk while the next one is
     * compressed.
     *
     * @param chunks number of chunks, n
     * @param compress time to compress a chunk, tc
     * @param copy time to copy it to the socket buffer, tb
     * @param transmit time to transmit it, ts
     */
    public static double overlap(double chunks, double compress, double copy, double transmit) {
        return compress >= transmit - copy
                ? chunks * compress + (chunks - 1) * copy + transmit
                : compress + chunks * transmit;
    }

    /**
     * Returns the bandwidth below which formula (6) predicts a gain from compression of many chunks: V, or 0 if the
     * ratio is not above 1.
     */
    public static double overlapCrossover(double speed, double ratio) {
        return ratio > 1 ? speed : 0;
    }

    /**
     * Returns the time of a compressed transfer with decompression as a third stage. The first chunk passes all stages;
     * each other one then takes the time of the slowest: max(tc + tb, ts, td).
     *
     * @param decompress time to decompress a chunk, td
     */
    public static double threeStages(double chunks, double compress, double copy, double transmit, double decompress) {
        double slowest = Math.max(Math.max(compress + copy, transmit), decompress);
        return compress + transmit + decompress + (chunks - 1) * slowest;
    }
}
