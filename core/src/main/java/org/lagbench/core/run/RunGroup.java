package org.lagbench.core.run;

import java.util.List;

/**
 * Runs that are executed at the same time: one run, or several streams with a common start.
 *
 * @param name the name of the run or of the group: "0003-together-r1"
 * @param runs one or more; each has its own directory, sender and receiver
 */
public record RunGroup(String name, List<RunSpec> runs) {
    public RunGroup {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("a group has no runs");
        }
    }

    public static RunGroup of(RunSpec run) {
        return new RunGroup(run.name(), List.of(run));
    }
}
