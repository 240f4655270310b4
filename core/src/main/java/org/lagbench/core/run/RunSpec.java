package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.RunParameters;

/**
 * The specification of one run.
 *
 * @param name names the run's directory: "0007-tcp-992-r2"; as {@link RunParameters#NAME}
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

    /** Returns a run of one of the streams at the same time, named by it; one alone that goes forward is no stream. */
    public static RunSpec of(String name, Point point, StreamRole role) {
        boolean isOnly = role.isAlone() && role.direction() == StreamRole.Direction.FORWARD;
        return new RunSpec(isOnly ? name : name + "-" + role.name(), point, 1, isOnly ? null : role);
    }

    /** Returns this run with another name. */
    public RunSpec named(String other) {
        return new RunSpec(other, point, repeat, stream);
    }
}
