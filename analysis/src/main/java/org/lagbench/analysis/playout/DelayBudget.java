package org.lagbench.analysis.playout;

import org.jspecify.annotations.Nullable;

/**
 * The delay for one share of late packets.
 *
 * @param target the share
 * @param verdict whether there is such a delay
 * @param delayNs the least delay, in ns beyond the least lag, of which at most that share of the packets sent is late;
 *     null if there is none
 * @param independent its interval if packets were late independently of each other; null if there is no delay
 * @param correlated its interval with packets late in spells, as they are; null if there is no delay
 * @param blockPackets how many packets a block of the bootstrap had; 0 if there is no delay
 */
public record DelayBudget(
        LateTarget target,
        DelayVerdict verdict,
        @Nullable Long delayNs,
        @Nullable DelayInterval independent,
        @Nullable DelayInterval correlated,
        long blockPackets) {
    /** Returns the share, from 0 to 1. */
    public double lateShare() {
        return target.share();
    }

    /** Returns how many packets it takes, were they independent, for an interval of 95 % confidence with two ends. */
    public long packetsNeeded() {
        return target.packetsNeeded();
    }

    /** Whether there is a delay for a share. */
    public enum DelayVerdict {
        /** There is. */
        GIVEN,
        /** Too few packets were sent to tell: {@link LateTarget#packetsNeeded()}. */
        TOO_FEW_PACKETS,
        /** A greater share was lost, so that no delay is enough. */
        MORE_LOST
    }
}
