package org.lagbench.core.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.TextEnum;

/**
 * The part of a run in an experiment of several streams.
 *
 * @param name the stream's name
 * @param direction the stream's direction
 * @param beside the names of the streams that are sent at the same time, from a common start; none if it is alone
 */
public record StreamRole(String name, Direction direction, List<String> beside) {
    /** The direction of a stream's packets. */
    public enum Direction implements TextEnum {
        /** From the sender's host to the receiver's. */
        FORWARD,
        /** From the receiver's host to the sender's. */
        BACKWARD
    }

    public StreamRole {
        beside = List.copyOf(beside);
    }

    /** Returns the direction of a run's packets: forward if it has no stream. */
    public static Direction directionOf(@Nullable StreamRole stream) {
        return stream == null ? Direction.FORWARD : stream.direction();
    }

    /** Returns whether no other stream is sent at the same time. */
    public boolean isAlone() {
        return beside.isEmpty();
    }
}
