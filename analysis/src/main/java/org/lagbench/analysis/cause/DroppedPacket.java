package org.lagbench.analysis.cause;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.PacketDrops;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * A packet that did not arrive, because the receiving kernel dropped it.
 *
 * @param packet the packet's number, from 0
 * @param sinceNs the time from its departure until it was dropped, in ns
 * @param clockBoundNs ± the error of that time because of the clocks, in ns; null if unknown
 * @param reason the kernel's name of the reason
 */
public record DroppedPacket(long packet, long sinceNs, @Nullable Long clockBoundNs, String reason) {
    /**
     * Returns a packet of a run.
     *
     * @return null if it arrived, was not sent, or has no recorded drop
     */
    public static @Nullable DroppedPacket of(JoinedRun run, long packet) throws LagbenchException {
        RunRecord record = run.record();
        PacketDrops drops = record == null ? null : PacketDrops.read(run.directory(), record);
        PacketDrops.Drop drop = drops == null ? null : drops.of(packet);
        if (record == null
                || drop == null
                || packet >= run.sent()
                || run.arrivedPackets().get((int) packet)) {
            return null;
        }
        RunRecord.Clock clock = record.clock();
        return new DroppedPacket(
                packet, drop.droppedNs() - run.sentNs(packet), clock == null ? null : clock.boundNs(), drop.reason());
    }
}
