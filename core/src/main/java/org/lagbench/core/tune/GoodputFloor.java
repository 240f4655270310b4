package org.lagbench.core.tune;

/**
 * The least goodput that a tune accepts: bytes of packets that the receiver gets, headers of the network left out.
 *
 * @param sharePpm as millionths of the link's rate; 0 if it is told as a rate
 * @param bitsPerS in bit/s; 0 if it is told as a share
 */
public record GoodputFloor(int sharePpm, long bitsPerS) {
    private static final double MILLION = 1e6;

    /** The same in bit/s on a link of that rate. */
    public double bitsPerS(long linkBitsPerS) {
        return sharePpm == 0 ? (double) bitsPerS : linkBitsPerS * (sharePpm / MILLION);
    }
}
