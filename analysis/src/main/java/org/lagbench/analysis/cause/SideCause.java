package org.lagbench.analysis.cause;

import org.lagbench.core.cause.Cause;

/**
 * A cause and the side that it was on.
 *
 * @param side on which side
 * @param cause what it was
 */
public record SideCause(RunSide side, Cause cause) {
    /** The name in files: "sender.stall". */
    public String text() {
        return side.text() + "." + cause.text();
    }
}
