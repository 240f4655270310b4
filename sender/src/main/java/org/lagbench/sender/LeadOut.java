package org.lagbench.sender;

import java.util.concurrent.TimeUnit;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.transport.PacketTransport;

/**
 * The packets after the recorded ones, at the run's own pace and without a pause, so that the last recorded packet has
 * the same conditions as the others.
 */
final class LeadOut {
    /** Longer than a receiver waits for the packets that complete an interrupt interval. */
    private static final long MAXIMUM_NS = TimeUnit.SECONDS.toNanos(1);

    private LeadOut() {}

    /** Returns the number of packets: as many bursts as the medium needs, but at least one and at most a second. */
    static long packets(RunSpec spec, PacketTransport transport) {
        Point point = spec.point();
        if (point.traffic().kind() == Traffic.TRANSFER) {
            return 0; // the end of a transfer is a part of it
        }
        if (point.traffic().isPingPong()) {
            return 1; // each packet waits for the answer to the one before it, so none affects an earlier one
        }
        Pace pace = point.pace();
        boolean flood = pace.mode() == Pace.Mode.FLOOD;
        long needed = transport.leadOutPackets(point.packetBytes(), point.allSettings(), flood);
        if (flood) {
            return needed;
        }
        long bursts = (needed + pace.burst() - 1) / pace.burst();
        return pace.burst() * Math.max(1, Math.min(bursts, MAXIMUM_NS / pace.intervalNs()));
    }
}
