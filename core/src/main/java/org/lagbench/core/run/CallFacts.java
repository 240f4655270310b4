package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * How a side's calls move packets.
 *
 * @param packetsPerCall the maximum number of packets of a system call; null if it is not known
 * @param sharedStamps whether packets of one call share its stamps; null if it is not known
 * @param packetsHandedOver whether the send call hands packets over to another thread; null if it does not
 */
public record CallFacts(
        @Nullable Long packetsPerCall, @Nullable Boolean sharedStamps, @Nullable Boolean packetsHandedOver)
        implements SideFacts {
    /** Returns what is known of calls for one or more packets each. */
    public static CallFacts of(long packetsPerCall, boolean sharedStamps) {
        return new CallFacts(packetsPerCall, sharedStamps, null);
    }

    /** Returns what is known of a send call that hands packets over. */
    public static CallFacts ofHandingOver() {
        return new CallFacts(null, null, true);
    }

    public static CallFacts ofStamps(boolean areShared) {
        return new CallFacts(null, areShared, null);
    }
}
