package org.lagbench.core.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.TextEnum;

/**
 * The part of a run in an experiment of several streams.
 *
 * @param name the stream's name
 * @param direction the stream's direction
 * @param beside the names of the streams that are sent at the same time, from a common start; empty if the stream is
 *     alone
 */
public record StreamRole(String name, Direction direction, List<String> beside) {
    /** The direction of a stream's packets. */
    public enum Direction implements TextEnum {
        /** From the sender's host to the receiver's. */
        FORWARD,
        /** From the receiver's host to the sender's. */
        BACKWARD
    }

    /** The maximum number of equal streams in a direction. */
    public static final int MAXIMUM_PARALLEL = 64;

    public StreamRole {
        beside = List.copyOf(beside);
    }

    /**
     * Returns the roles of equal streams that are sent at the same time, in the order of directions. One stream has the
     * name of its direction; several of one direction have numbers.
     */
    public static List<StreamRole> parallel(List<Direction> directions, int streams) {
        Map<String, Direction> names = new LinkedHashMap<>();
        for (Direction direction : directions) {
            String prefix = directions.size() == 1 ? "" : direction.text() + "-";
            for (int stream = 1; stream <= streams; stream++) {
                names.put(streams == 1 ? direction.text() : prefix + stream, direction);
            }
        }
        List<StreamRole> roles = new ArrayList<>();
        names.forEach((name, direction) -> roles.add(new StreamRole(
                name,
                direction,
                names.keySet().stream().filter(other -> !other.equals(name)).toList())));
        return roles;
    }

    /** Returns how many of the streams at the same time are in its direction if all are equal, itself included. */
    public int equalStreams() {
        String prefix = direction.text() + "-";
        return 1
                + (int) beside.stream()
                        .filter(other -> !name.startsWith(prefix) || other.startsWith(prefix))
                        .count();
    }

    /** Returns its place among the streams at the same time: 0, 1 and so on, with 2 before 10. */
    public int index() {
        Comparator<String> order = Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());
        return (int)
                beside.stream().filter(other -> order.compare(other, name) < 0).count();
    }

    /** Returns the role of the union of all equal streams of its direction; null if all packets go forward. */
    public @Nullable StreamRole ofAllStreams() {
        List<String> opposite = beside.size() < equalStreams()
                ? List.of()
                : Stream.of(Direction.values())
                        .filter(other -> other != direction)
                        .map(Direction::text)
                        .toList();
        return opposite.isEmpty() && direction == Direction.FORWARD
                ? null
                : new StreamRole(direction.text(), direction, opposite);
    }

    /** Returns whether it is named after its direction, because it is not a declared stream. */
    public boolean isDirection() {
        return name.equals(direction.text());
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
