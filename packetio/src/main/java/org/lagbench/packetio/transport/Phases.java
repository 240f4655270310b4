package org.lagbench.packetio.transport;

import org.lagbench.core.model.RunParameters;

/**
 * The packets of a run: first those of the warm-up, then the recorded ones, then those of the lead-out. A packet's
 * index is its place in that order: the recorded packets begin at 0, those of the warm-up end at −1. A packet carries
 * its sequence number, which is its index; but packets of the lead-out have the negative numbers before the warm-up's,
 * so that only recorded packets have numbers from 0. {@link #sequence} has no branch that the warm-up never takes.
 *
 * @param warmUp maximum number of warm-up packets
 * @param recorded number of recorded packets
 * @param leadOut maximum number of lead-out packets
 */
public record Phases(long warmUp, long recorded, long leadOut) {
    public Phases {
        RunParameters.PACKETS.check(recorded);
        if (warmUp < 0 || leadOut < 0) {
            throw new IllegalArgumentException(
                    "the number of packets of a phase is negative: warm-up " + warmUp + ", lead-out " + leadOut);
        }
    }

    /** Returns the number of packets of all phases. */
    public long total() {
        return warmUp + recorded + leadOut;
    }

    /** Returns the smallest sequence number: that of the first packet of the lead-out, if there are any. */
    public long minSequence() {
        return -warmUp - leadOut;
    }

    /** Returns the sequence number of the packet with an index. */
    public long sequence(long index) {
        long isLeadOut = ~(index - recorded) >> 63;
        return index + (isLeadOut & (minSequence() - recorded));
    }

    /**
     * Returns the index after the last packet of a phase, that of the packet with an index; at most {@code end}. Not
     * called for each packet, and excluded from compilation like its caller.
     */
    public long endOfPhase(long index, long end) {
        if (index < 0) {
            return Math.min(0, end);
        }
        return index < recorded ? Math.min(recorded, end) : end;
    }
}
