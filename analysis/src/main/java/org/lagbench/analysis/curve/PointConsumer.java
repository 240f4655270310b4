package org.lagbench.analysis.curve;

/** Takes points one by one. */
@FunctionalInterface
public interface PointConsumer {
    /** Takes the next point. */
    void accept(long x, long y);
}
