package org.lagbench.core.model;

/**
 * The smallest goodput that a tuning run accepts: received bytes of packets, without the network's headers.
 *
 * @param sharePpm in millionths of the link's rate; 0 if given as a rate
 * @param bitsPerS in bit/s; 0 if given as a share
 */
public record GoodputFloor(int sharePpm, long bitsPerS) {
    private static final double MILLION = 1e6;

    /** Returns the goodput in bit/s on a link. */
    public double bitsPerS(long linkBitsPerS) {
        return sharePpm == 0 ? (double) bitsPerS : linkBitsPerS * (sharePpm / MILLION);
    }
}
