package org.lagbench.packetio.transport;

/**
 * The packet counts of a receiver, with the terms of {@link PacketAccounting}.
 *
 * @param received recorded packets received, duplicates included
 * @param distinct recorded packets received at least once
 * @param duplicated copies beyond the first
 * @param reordered first copies received after a packet with a greater sequence number
 * @param foreign packets that do not belong to this run
 * @param unrecorded recorded packets for which the capture had no room; they can only be duplicates
 * @param warmUpReceived warm-up packets received
 * @param leadOutReceived lead-out packets received
 */
public record ReceivedCounts(
        long received,
        long distinct,
        long duplicated,
        long reordered,
        long foreign,
        long unrecorded,
        long warmUpReceived,
        long leadOutReceived) {
    /** The counts of a receiver that received no packet. */
    public static final ReceivedCounts NONE = new ReceivedCounts(0, 0, 0, 0, 0, 0, 0, 0);
}
