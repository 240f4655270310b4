package org.lagbench.analysis.summary;

import java.util.List;
import java.util.function.ToLongFunction;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/**
 * How fast packets were sent and received.
 *
 * @param sent between the first packet of a run and the last
 * @param received between the first arrival of a run and the last, copies included
 * @param scheduleKept the scheduled time from the first packet of a run to the last, as a share of the time that
 *     sending them took, at most 1; NaN without a schedule
 * @param packets number of packets sent
 */
public record Rates(PacketRate sent, PacketRate received, double scheduleKept, long packets) {
    /** The metrics of rates. */
    static final List<Metric<Rates>> METRICS = List.of(
            Metric.<Rates>quotient(
                            "scheduleKept",
                            "Kept schedule",
                            "Share",
                            Rates::scheduleKept,
                            rates -> rates.packets / rates.scheduleKept)
                    .higherIsBetter(),
            Metric.<Rates>rateInMbit("receiveRate", "Receive rate", "Mean", rates -> rates.received.mbitPerS)
                    .main(),
            Metric.rateInMbit("sendRate", "Send rate", "Mean", rates -> rates.sent.mbitPerS),
            Metric.packetRate("rates.sent.packetsPerS", "Packet rate", "Sent", rates -> rates.sent.packetsPerS),
            Metric.packetRate(
                    "rates.received.packetsPerS", "Packet rate", "Received", rates -> rates.received.packetsPerS));

    /**
     * The rate of packets between two stamps; NaN without two different stamps. Pooled runs have the mean over the time
     * of all.
     *
     * @param packetsPerS packets per second, without the first
     * @param mbitPerS the rate in Mbit/s of whole packets, without network headers
     */
    public record PacketRate(double packetsPerS, double mbitPerS) {
        static PacketRate of(long packets, long ns, int packetBytes) {
            double packetsPerS = ns > 0 ? packets * Units.NS_PER_S / ns : Double.NaN;
            return new PacketRate(packetsPerS, packetsPerS * packetBytes * Byte.SIZE / Units.BITS_PER_MBIT);
        }
    }

    static Rates of(PooledRuns runs) throws LagbenchException {
        int bytes = runs.point().packetBytes();
        return new Rates(
                rate(runs, JoinedRun::sent, JoinedRun::sentNs, bytes),
                rate(runs, JoinedRun::received, JoinedRun::receivedNs, bytes),
                runs.point().hasSchedule() ? scheduleKept(runs) : Double.NaN,
                runs.packets().sent());
    }

    /** Returns the kept share of all runs together; of runs that are too short for a share, all. */
    private static double scheduleKept(PooledRuns runs) throws LagbenchException {
        double scheduledNs = 0;
        double takenNs = 0;
        for (JoinedRun run : runs.joined()) {
            long last = run.sent() - 1;
            if (last > 0) {
                double ofRunNs = (double) (run.scheduledNs(last) - run.scheduledNs(0));
                scheduledNs += ofRunNs;
                takenNs += Math.max(ofRunNs, (double) (run.sentNs(last) - run.sentNs(0)));
            }
        }
        return takenNs == 0 ? 1 : scheduledNs / takenNs;
    }

    /** Reads the stamp of a packet or an arrival. */
    private interface Stamps {
        long ns(JoinedRun run, long index) throws LagbenchException;
    }

    private static PacketRate rate(PooledRuns runs, ToLongFunction<JoinedRun> count, Stamps stamps, int bytes)
            throws LagbenchException {
        long packets = 0;
        long ns = 0;
        for (JoinedRun run : runs.joined()) {
            long last = count.applyAsLong(run) - 1;
            if (last > 0) {
                packets += last;
                ns += stamps.ns(run, last) - stamps.ns(run, 0);
            }
        }
        return PacketRate.of(packets, ns, bytes);
    }
}
