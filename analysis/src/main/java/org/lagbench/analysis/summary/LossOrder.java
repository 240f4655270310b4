package org.lagbench.analysis.summary;

import java.util.List;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.statistics.Interval;

/**
 * Decides whether points may be compared on lag alone. Only packets that arrive have a lag, and the late ones may be
 * those that are lost. So a point that lost a greater share of its packets is not ordered by lag.
 *
 * <p>A share is greater if chance does not explain it: the 95 % intervals of both (Clopper and Pearson 1934) do not
 * overlap. They treat losses as independent. With losses in bursts, the test finds more differences.
 */
public final class LossOrder {

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
        return Interval.ofShare(packets.lost(), packets.sent()).low()
                > Interval.ofShare(others.lost(), others.sent()).high();
    }
}
