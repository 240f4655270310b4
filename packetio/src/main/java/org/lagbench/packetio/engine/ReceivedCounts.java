package org.lagbench.packetio.engine;

import org.lagbench.packetio.packet.PacketAccounting;

/**
 * What came of a run, in the words of {@link PacketAccounting}.
 *
 * @param received recorded packets that came, copies included
 * @param distinct recorded packets that came at least once
 * @param duplicated copies beyond the first
 * @param reordered first copies that came after one with a greater sequence number
 * @param foreign packets that were not of this run
 * @param unrecorded recorded packets for which the capture had no room
 * @param warmUpReceived warm-up packets that came
 */
public record ReceivedCounts(
        long received,
        long distinct,
        long duplicated,
        long reordered,
        long foreign,
        long unrecorded,
        long warmUpReceived) {
    /** Nothing came. */
    public static final ReceivedCounts NOTHING = new ReceivedCounts(0, 0, 0, 0, 0, 0, 0);

    /** That of now. */
    public static ReceivedCounts of(PacketAccounting arrivals) {
        return new ReceivedCounts(
                arrivals.received(),
                arrivals.distinct(),
                arrivals.duplicated(),
                arrivals.reordered(),
                arrivals.foreign(),
                arrivals.unrecorded(),
                arrivals.warmUpReceived());
    }
}
