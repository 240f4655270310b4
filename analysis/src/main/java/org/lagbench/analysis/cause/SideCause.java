package org.lagbench.analysis.cause;

import java.util.Comparator;
import org.lagbench.core.cause.Cause;

/** A cause and the side on which it occurred. Ordered by side, then by rank. */
public record SideCause(RunSide side, Cause cause) implements Comparable<SideCause> {
    private static final Comparator<SideCause> ORDER =
            Comparator.comparing(SideCause::side).thenComparing(SideCause::cause);

    /** Returns the name in files: "sender.stall". */
    public String text() {
        return side.text() + "." + cause.text();
    }

    @Override
    public int compareTo(SideCause other) {
        return ORDER.compare(this, other);
    }
}
