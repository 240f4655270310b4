package org.lagbench.core.run;

import java.util.List;

/**
 * Runs that are made at the same time: one, or several streams from a common start on.
 *
 * @param name of the run, or of all of them: "0003-together-r1"
 * @param runs one or more; each has a directory, a sender and a receiver of its own
 */
public record RunGroup(String name, List<RunSpec> runs) {
    public RunGroup {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("a group of no runs");
        }
    }

    /** A run by itself. */
    public static RunGroup of(RunSpec run) {
        return new RunGroup(run.name(), List.of(run));
    }
}
