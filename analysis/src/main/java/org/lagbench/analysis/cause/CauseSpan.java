package org.lagbench.analysis.cause;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.Cause;

/**
 * A time span with one cause.
 *
 * @param tookNs how long the cause lasted in it
 * @param program the program that ran instead; null if unknown
 */
public record CauseSpan(Cause cause, long startNs, long endNs, long tookNs, @Nullable String program) {
    boolean isWhole() {
        return tookNs == endNs - startNs;
    }

    /** Returns the longest time that the cause can have lasted between two times, in ns; negative if none. */
    long overlapNs(long fromNs, long toNs) {
        return Math.min(tookNs, Math.min(endNs, toNs) - Math.max(startNs, fromNs));
    }
}
