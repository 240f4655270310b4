package org.lagbench.analysis.cause;

import java.util.Comparator;
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

    /** Creates the cause without a program. */
    SideCause(Role side, Cause cause) {
        this(side, cause, null);
    }

    /** Returns the name in files: "sender.stall", "receiver.run-queue:ffmpeg". */
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
        return side == Role.PATH ? "" : " at the " + side.text();
    }

    @Override
    public int compareTo(SideCause other) {
        return ORDER.compare(this, other);
    }

    /** A side of a run, or the path between both. */
    public enum Role implements TextEnum {
        SENDER,
        RECEIVER,
        PATH
    }
}
