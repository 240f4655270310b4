package org.lagbench.analysis.curve;

import java.util.Arrays;

/** Points in the order of x, and of how many they are left. Immutable. */
public final class Curve {
    private final long[] x;
    private final long[] y;
    private final long thinnedFrom;

    Curve(long[] x, long[] y, long thinnedFrom) {
        this.x = x;
        this.y = y;
        this.thinnedFrom = thinnedFrom;
    }

    /** How many points there are. */
    public int size() {
        return x.length;
    }

    /** Packet number or ns, as the curve's maker says. */
    public long x(int point) {
        return x[point];
    }

    /** In ns, or as the curve's maker says. */
    public long y(int point) {
        return y[point];
    }

    /** How many points there were before thinning; as many as there are, if none was left out. */
    public long thinnedFrom() {
        return thinnedFrom;
    }

    /** The least y of all, also of those left out; {@link Long#MAX_VALUE} if there is no point. */
    public long leastY() {
        return Arrays.stream(y).min().orElse(Long.MAX_VALUE);
    }

    /** The greatest y of all, also of those left out; {@link Long#MIN_VALUE} if there is no point. */
    public long greatestY() {
        return Arrays.stream(y).max().orElse(Long.MIN_VALUE);
    }
}
