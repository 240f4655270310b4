package org.lagbench.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Key;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.RunOrder;
import org.lagbench.core.run.RunSpec.RunGroup;

/**
 * How often and in which order the points of an experiment are run.
 *
 * @param repeats number of runs of each point
 * @param pairsOf the axis whose values are run in succession, in a random order; null if all points are shuffled
 * @param seed of the order of the runs; null to draw one ({@link RunOrder#drawSeed()})
 */
public record GridOrder(int repeats, @Key("order") @Nullable String pairsOf, @Nullable Long seed) {
    /** The maximum number of repeats of a point. */
    public static final int MAXIMUM_REPEATS = 1_000;

    /**
     * Returns all runs in the order of execution: repeat after repeat, the points shuffled anew in each, so that a
     * drift of the machine does not affect one axis only. With {@link #pairsOf()}, pairs stay together.
     * {@link RunOrder} documents the order. Runs are named by their number in it: {@code 0001-tcp-992-r1}.
     *
     * @param axes the values of each point's axes
     */
    List<RunGroup> groups(List<RunGroup> points, List<Map<String, String>> axes, long drawn) {
        RunOrder order = new RunOrder(drawn);
        List<RunGroup> groups = new ArrayList<>(points.size() * repeats);
        int[] pairs = pairsOf == null ? null : Axis.pairs(axes, pairsOf);
        for (int repeat = 1; repeat <= repeats; repeat++) {
            for (int index : pairs == null ? order.next(points.size()) : order.nextOfPairs(pairs)) {
                groups.add(points.get(index).numbered(groups.size() + 1, repeat));
            }
        }
        return groups;
    }
}
