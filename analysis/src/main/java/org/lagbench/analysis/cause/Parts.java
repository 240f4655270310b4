package org.lagbench.analysis.cause;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.core.model.TextEnum;

/**
 * The parts of a time, each with at most one cause.
 *
 * @param parts in the order of time; their sum is the time
 */
public record Parts(List<Part> parts) {
    public Parts {
        parts = List.copyOf(parts);
    }

    /** What proves a part, the most certain first. */
    public enum Kind implements TextEnum {
        /** Two stamps of one clock enclose the part. */
        STAMP,
        /** A recorded event, with its beginning and end. */
        EVENT,
        /** Stamps or events prove only how long it can be at most, or stamps of two clocks enclose it. */
        BOUND
    }

    /**
     * A part of a time.
     *
     * @param cause null if the part is not explained
     * @param side where it was; null if the part is not explained and no stamps enclose it on one side
     * @param kind what proves it
     * @param sinceNs when it began, in ns since the beginning of the whole time
     * @param ns how long it lasted, in ns
     */
    public record Part(@Nullable SideCause cause, @Nullable Role side, Kind kind, long sinceNs, long ns) {}

    /** Returns the sum of the parts of each cause, in ns. */
    public Map<SideCause, Long> byCause() {
        Map<SideCause, Long> sums = new TreeMap<>();
        for (Part part : parts) {
            if (part.cause() != null) {
                sums.merge(part.cause(), part.ns(), Long::sum);
            }
        }
        return sums;
    }

    /** Returns the sum of the parts that are not explained, in ns. */
    public long unexplainedNs() {
        return parts.stream()
                .filter(part -> part.cause() == null)
                .mapToLong(Part::ns)
                .sum();
    }
}
