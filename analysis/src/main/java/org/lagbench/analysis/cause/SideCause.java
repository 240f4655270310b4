package org.lagbench.analysis.cause;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.model.TextEnum;

/**
 * A cause and the side on which it occurred. Ordered by side, then by rank, then by program.
 *
 * @param program the program that ran instead of the packet thread; null if unknown or if there was none
 */
public record SideCause(Role side, Cause cause, @Nullable String program) implements Comparable<SideCause> {
    private static final Comparator<SideCause> ORDER = Comparator.comparing(SideCause::side)
            .thenComparing(SideCause::cause)
            .thenComparing(SideCause::program, Comparator.nullsFirst(Comparator.naturalOrder()));
    private static final Map<Role, Map<Cause, SideCause>> WITHOUT_PROGRAM = withoutProgram();

    /** Creates the cause without a program. */
    SideCause(Role side, Cause cause) {
        this(side, cause, null);
    }

    private static Map<Role, Map<Cause, SideCause>> withoutProgram() {
        Map<Role, Map<Cause, SideCause>> all = new EnumMap<>(Role.class);
        for (Role side : Role.values()) {
            Map<Cause, SideCause> ofSide = new EnumMap<>(Cause.class);
            for (Cause cause : Cause.values()) {
                ofSide.put(cause, new SideCause(side, cause));
            }
            all.put(side, ofSide);
        }
        return all;
    }

    /** Returns a cause of a side, always the same object if no program is known. */
    static SideCause of(Role side, Cause cause, @Nullable String program) {
        return program == null
                ? Objects.requireNonNull(
                        WITHOUT_PROGRAM.getOrDefault(side, Map.of()).get(cause))
                : new SideCause(side, cause, program);
    }

    /** Returns the name in files: "sender.stall", "receiver.run-queue:ffmpeg". */
    @JsonValue
    public String text() {
        return side.text() + "." + cause.text() + (program == null ? "" : ":" + program);
    }

    /** Returns the name that tables show: "Process stopped", "Run queue: ffmpeg". */
    public String title() {
        return cause.title(program);
    }

    /** Returns the cause that stands for all programs of one kind: the JIT compiler's, lagbench's own, idle tasks. */
    public SideCause grouped() {
        return program == null ? this : new SideCause(side, cause, Cause.programGroup(program));
    }

    /** Returns where it occurred: " at the receiver"; "" on the path, which the title names. */
    String place() {
        return side.place();
    }

    @Override
    public int compareTo(SideCause other) {
        return ORDER.compare(this, other);
    }

    /** A side of a run, or the path between both. */
    public enum Role implements TextEnum {
        SENDER,
        RECEIVER,
        PATH;

        /** Returns where it is: " at the receiver"; "" on the path. */
        String place() {
            return this == PATH ? "" : " at the " + text();
        }
    }
}
