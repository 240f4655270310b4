package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;

/**
 * The runs that a reader can choose from.
 *
 * @param points the points with their runs
 */
public record ChoiceModel(List<ChoicePoint> points) {
    /**
     * A point to choose from.
     *
     * @param label what tells it apart
     * @param runs its runs
     */
    public record ChoicePoint(String label, List<ChoiceRun> runs) {}

    /**
     * A run to choose.
     *
     * @param number its place in the summary, from 0
     * @param name its name
     * @param transport its transport
     * @param repeat which repetition it is
     */
    public record ChoiceRun(int number, String name, String transport, int repeat) {}

    static ChoiceModel of(Material material) {
        List<ChoicePoint> points = new ArrayList<>();
        for (int number = 0; number < material.runs().size(); number++) {
            ShownRun run = material.runs().get(number);
            ChoicePoint last = points.isEmpty() ? null : points.get(points.size() - 1);
            if (last == null
                    || run.summary().name().equals(run.point().runs().get(0).name())) {
                last = new ChoicePoint(run.pointLabel(), new ArrayList<>());
                points.add(last);
            }
            last.runs()
                    .add(new ChoiceRun(
                            number,
                            run.summary().name(),
                            run.record().transport(),
                            run.summary().repeat()));
        }
        return new ChoiceModel(points);
    }
}
