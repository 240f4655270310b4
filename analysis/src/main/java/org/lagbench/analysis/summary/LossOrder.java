package org.lagbench.analysis.summary;

import java.util.List;
import org.apache.commons.math3.distribution.BetaDistribution;
import org.lagbench.analysis.join.RunPacketCounts;

/**
 * Decides whether points may be compared on lag alone. Only packets that arrive have a lag, and the late ones may be
 * those that are lost. So a point that lost a greater share of its packets is not ordered by lag.
 *
 * <p>A share is greater if chance does not explain it: the 95 % intervals of both (Clopper and Pearson 1934) do not
 * overlap. They treat losses as independent. With losses in bursts, the test finds more differences.
 */
public final class LossOrder {
    private static final double TAIL = 0.025;
    private static final double ACCURACY = 1e-12;

    private LossOrder() {}

    /** Returns the points that may be ordered by lag: those that lost no greater share than any other. */
    public static List<PointSummary> comparable(List<PointSummary> points) {
        return points.stream()
                .filter(point -> points.stream().noneMatch(other -> lostMore(point, other)))
                .toList();
    }

    /** Returns whether a point lost a greater share of its packets than another. */
    public static boolean lostMore(PointSummary point, PointSummary other) {
        return lostMore(point.pooled().packets(), other.pooled().packets());
    }

    static boolean lostMore(RunPacketCounts packets, RunPacketCounts others) {
        return leastShare(packets) > greatestShare(others);
    }

    /** Returns the lower end of the interval of the lost share. */
    private static double leastShare(RunPacketCounts packets) {
        return packets.lost() == 0 ? 0 : beta(packets.lost(), packets.sent() - packets.lost() + 1, TAIL);
    }

    /** Returns the upper end of the interval of the lost share. */
    private static double greatestShare(RunPacketCounts packets) {
        return packets.lost() == packets.sent()
                ? 1
                : beta(packets.lost() + 1, packets.sent() - packets.lost(), 1 - TAIL);
    }

    private static double beta(long a, long b, double probability) {
        return new BetaDistribution((double) a, (double) b, ACCURACY).inverseCumulativeProbability(probability);
    }
}
