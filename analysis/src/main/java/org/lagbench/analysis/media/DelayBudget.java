package org.lagbench.analysis.media;

import org.jspecify.annotations.Nullable;

/**
 * The playout delay for one share of late packets.
 *
 * @param target the share
 * @param verdict whether there is such a delay
 * @param delayNs the shortest delay, in ns above the minimum lag, at which at most that share of the packets is late;
 *     null if there is none
 * @param independent its interval assuming that packets are late independently of each other; null if there is no delay
 * @param correlated its interval with the observed correlation; null if there is no delay
 * @param blockPackets number of packets in a block of the bootstrap; 0 if there is no delay
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

    /** Returns the number of independent packets that a two-sided interval of 95 % confidence needs. */
    public long packetsNeeded() {
        return target.packetsNeeded();
    }

    /** Whether there is a delay for a share. */
    public enum DelayVerdict {
        GIVEN,
        /** Fewer packets were sent than {@link LateTarget#packetsNeeded()}. */
        TOO_FEW_PACKETS,
        /** A greater share was lost, so that no delay is enough. */
        MORE_LOST
    }
}
