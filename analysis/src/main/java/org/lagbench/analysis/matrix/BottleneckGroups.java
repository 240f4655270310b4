package org.lagbench.analysis.matrix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups of flows. Each flow shares a bottleneck with at least one other flow of its group. */
public final class BottleneckGroups {
    private BottleneckGroups() {}

    /**
     * The verdict on two flows.
     *
     * @param first the number of the first flow, from 0
     */
    public record Tested(int first, int second, Sharing sharing) {}

    /** Returns the groups of at least two flows, in the order of their first flows. */
    public static List<List<Integer>> of(int flows, List<Tested> tested) {
        int[] group = new int[flows];
        for (int i = 0; i < flows; i++) {
            group[i] = i;
        }
        for (Tested test : tested) {
            if (test.sharing() == Sharing.SHARED) {
                int from = Math.max(group[test.first()], group[test.second()]);
                int to = Math.min(group[test.first()], group[test.second()]);
                for (int i = 0; i < flows; i++) {
                    group[i] = group[i] == from ? to : group[i];
                }
            }
        }
        Map<Integer, List<Integer>> members = new LinkedHashMap<>();
        for (int i = 0; i < flows; i++) {
            members.computeIfAbsent(group[i], first -> new ArrayList<>()).add(i);
        }
        return members.values().stream().filter(all -> all.size() > 1).toList();
    }
}
