package org.lagbench.analysis.summary;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;

/**
 * How fast packets were sent and received.
 *
 * @param sent between the first packet of a run and the last
 * @param received between the first arrival of a run and the last, copies included
 */
public record Rates(PacketRate sent, PacketRate received) {
    /**
     * The rate of packets between two stamps; NaN without two different stamps. Pooled runs have the mean over the time
     * of all.
     *
     * @param packetsPerS packets per second, without the first
     * @param mbitPerS the same in Mbit/s of whole packets, without network headers
     */
    public record PacketRate(double packetsPerS, double mbitPerS) {
        static PacketRate of(long packets, long ns, int packetBytes) {
            double packetsPerS = ns > 0 ? packets * Units.NS_PER_S / ns : Double.NaN;
            return new PacketRate(packetsPerS, packetsPerS * packetBytes * Byte.SIZE / Units.BITS_PER_MBIT);
        }
    }

    static Rates of(PooledRuns runs) throws LagbenchException {
        long sent = 0;
        long sentNs = 0;
        long received = 0;
        long receivedNs = 0;
        for (JoinedRun run : runs.joined()) {
            if (run.sent() > 1) {
                sent += run.sent() - 1;
                sentNs += run.sentNs(run.sent() - 1) - run.sentNs(0);
            }
            if (run.received() > 1) {
                received += run.received() - 1;
                receivedNs += run.receivedNs(run.received() - 1) - run.receivedNs(0);
            }
        }
        int bytes = runs.point().packetBytes();
        return new Rates(PacketRate.of(sent, sentNs, bytes), PacketRate.of(received, receivedNs, bytes));
    }
}
