package org.lagbench.analysis.statistics;

import java.util.Arrays;

/**
 * The points of a thinned curve, in the order of x.
 *
 * @param x packet numbers or ns, depending on the curve
 * @param y ns or another unit, depending on the curve
 * @param thinnedFrom the number of points before thinning
 */
@SuppressWarnings("ArrayRecordComponent") // many numbers, never compared
public record Curve(long[] x, long[] y, long thinnedFrom) {
    /** Returns the number of points. */
    public int size() {
        return x.length;
    }

    /** Returns the x of a point: a packet number or ns, depending on the curve. */
    public long x(int point) {
        return x[point];
    }

    /** Returns the y of a point: ns or another unit, depending on the curve. */
    public long y(int point) {
        return y[point];
    }

    /** Returns the smallest y, which thinning keeps; {@link Long#MAX_VALUE} if there is no point. */
    public long minY() {
        return Arrays.stream(y).min().orElse(Long.MAX_VALUE);
    }

    /** Returns the largest y, which thinning keeps; {@link Long#MIN_VALUE} if there is no point. */
    public long maxY() {
        return Arrays.stream(y).max().orElse(Long.MIN_VALUE);
    }
}
