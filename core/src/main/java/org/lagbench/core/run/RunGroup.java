package org.lagbench.core.run;

import java.util.List;
import java.util.Locale;

/**
 * Runs that are executed at the same time: one run, or several streams with a common start.
 *
 * @param name the name of the group, "0003-together-r1"; of one run its name
 * @param runs one or more; each has its own directory, sender and receiver
 */
public record RunGroup(String name, List<RunSpec> runs) {
    public RunGroup {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("a group has no runs");
        }
        name = runs.size() == 1 ? runs.get(0).name() : name;
    }

    /** Returns the group with its number in the order and its repeat in all names: 3 and 1 in "0003-together-r1". */
    public RunGroup numbered(int number, int repeat) {
        String format = String.format(Locale.ROOT, "%04d-%%s-r%d", number, repeat);
        return new RunGroup(
                String.format(format, name),
                runs.stream()
                        .map(run -> new RunSpec(String.format(format, run.name()), run.point(), repeat, run.stream()))
                        .toList());
    }
}
