package org.lagbench.runner.sweep;

import java.util.List;
import org.lagbench.core.run.RunSpec.RunGroup;

/**
 * Makes each run of a list once: a failed run is left out until the session is resumed.
 *
 * @param all the runs, in the order of execution
 */
public record GridPlan(List<RunGroup> all) implements Plan {
    @Override
    public Next next(RunTable soFar) {
        return new Next(
                all.stream()
                        .filter(group -> !soFar.isComplete(group)
                                && soFar.outcomes(group).isEmpty())
                        .toList(),
                null,
                List.of());
    }

    @Override
    public Extent extent(RunTable soFar) {
        int complete = (int) all.stream().filter(soFar::isComplete).count();
        return new Extent(complete, all.size(), complete == all.size(), "sweep");
    }
}
