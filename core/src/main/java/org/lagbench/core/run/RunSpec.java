package org.lagbench.core.run;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.RunParameters;

/**
 * The specification of one run.
 *
 * @param name the name of the run's directory, such as "0007-tcp-992-r2"; see {@link RunParameters#NAME}
 * @param point what the run shares with its repeats
 * @param repeat the number of the repetition, from 1
 * @param stream the run's stream; null if the experiment has no streams
 */
public record RunSpec(String name, Point point, int repeat, @Nullable StreamRole stream) {
    public RunSpec {
        RunParameters.NAME.check(name);
        if (repeat < 1) {
            throw new IllegalArgumentException("repeat: " + repeat + " is below 1");
        }
    }

    /**
     * Returns the run of one of several concurrent streams, whose name contains the stream's. A single forward run is
     * not a stream.
     */
    public static RunSpec of(String name, Point point, StreamRole role) {
        boolean isOnly = role.isAlone() && role.direction() == StreamRole.Direction.FORWARD;
        return new RunSpec(isOnly ? name : name + "-" + role.name(), point, 1, isOnly ? null : role);
    }

    /** Returns this run with another name. */
    public RunSpec named(String other) {
        return new RunSpec(other, point, repeat, stream);
    }

    /** Returns this run with another point. */
    public RunSpec with(Point other) {
        return new RunSpec(name, other, repeat, stream);
    }

    /**
     * Runs that are executed at the same time: one run, or several streams with a common start.
     *
     * @param name the name of the group, such as "0003-together-r1"; the name of the run if there is only one
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

        /**
         * Returns the group with its number in the order and its repeat in all names: 3 and 1 in "0003-together-r1".
         */
        public RunGroup numbered(int number, int repeat) {
            String format = String.format(Locale.ROOT, "%04d-%%s-r%d", number, repeat);
            return new RunGroup(
                    String.format(format, name),
                    runs.stream()
                            .map(run ->
                                    new RunSpec(String.format(format, run.name()), run.point(), repeat, run.stream()))
                            .toList());
        }
    }
}
