package org.lagbench.analysis.cause;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.PacketDrops;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.LabRecord;

/**
 * A packet that did not arrive, and that the receiving kernel is not known to have dropped.
 *
 * @param packet the packet's number, from 0
 * @param hasLeft whether it is known to have left the sender's host
 * @param areDropsKnown whether all drops of the receiving kernel were recorded, so that it did not drop this packet
 * @param lab the emulated network; null for the machines' own
 */
public record LostPacket(long packet, boolean hasLeft, boolean areDropsKnown, @Nullable LabRecord lab) {
    /**
     * Returns a packet of a run.
     *
     * @return null if it arrived, was not sent, or has a recorded drop
     */
    public static @Nullable LostPacket of(JoinedRun run, long packet) throws LagbenchException {
        RunRecord record = run.record();
        if (record == null
                || packet < 0
                || packet >= run.sent()
                || run.arrivedPackets().get((int) packet)) {
            return null;
        }
        PacketDrops drops = PacketDrops.read(run.directory(), record);
        return drops != null && drops.of(packet) != null
                ? null
                : new LostPacket(
                        packet,
                        DriverStamps.read(run.directory(), record, run).leftNs(packet) != DriverStamps.NONE,
                        drops != null && drops.isComplete(),
                        record.lab());
    }
}
