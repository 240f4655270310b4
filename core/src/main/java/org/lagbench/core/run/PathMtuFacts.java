package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * The MTU of the path of a run's datagrams, as the sending kernel knew it after the run.
 *
 * @param pathMtuBytes the MTU; or why it is not known, as text
 * @param datagramBytes the bytes of a datagram with one packet; null if the MTU is not known
 */
public record PathMtuFacts(Object pathMtuBytes, @Nullable Long datagramBytes) implements SideFacts {
    /** Returns the MTU in bytes; 0 if it is not known. */
    public long bytes() {
        return pathMtuBytes instanceof Number bytes ? bytes.longValue() : 0;
    }
}
