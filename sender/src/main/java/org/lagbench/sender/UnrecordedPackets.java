package org.lagbench.sender;

import java.util.concurrent.TimeUnit;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;

/**
 * The packets before and after the recorded ones. Most of the warm-up is sent at a fast pace in rounds, so that the
 * compiler optimizes every path, with the bursts and the sleeps of the recorded packets. Then both sides collect their
 * garbage. The rest is the lead-in: at the run's own pace, without a pause before the recorded packets, so that the
 * first recorded packet finds warm caches, a grown TCP window and a running bus. The lead-out follows the recorded
 * packets in the same way, so that the last one has the same conditions as the others.
 *
 * @param warmUpPackets packets before the recorded ones, with the lead-in
 * @param leadInPackets packets of the lead-in
 * @param warmUpPace pace of the warm-up before the lead-in
 */
record UnrecordedPackets(long warmUpPackets, long leadInPackets, Pace warmUpPace) {
    private static final int MAXIMUM_ROUNDS = 4;

    /** The number of packets after which the compiler optimizes the paths of a round. */
    private static final long ROUND_PACKETS = 500;

    private static final long MAXIMUM_LEAD_IN_PACKETS = 1_000;
    private static final long MAXIMUM_LEAD_IN_NS = TimeUnit.SECONDS.toNanos(1);
    /** Longer than a receiver waits for the packets that complete an interrupt interval. */
    private static final long MAXIMUM_LEAD_OUT_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long FAST_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** With a shorter interval a hybrid pacer would only spin before the lead-in, so that its sleep is not compiled. */
    private static final long FAST_HYBRID_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /**
     * Returns the warm-up of a run. Transfers have no lead-in, which would open the congestion window.
     *
     * @param minimumIntervalNs shortest packet interval of the medium
     */
    static UnrecordedPackets of(RunSpec spec, long minimumIntervalNs) {
        Point point = spec.point();
        long packets = point.warmUpPackets();
        Pace pace = point.pace();
        if (point.traffic().kind() == Traffic.TRANSFER) {
            return new UnrecordedPackets(packets, 0, pace);
        }
        if (pace.mode() == Pace.Mode.FLOOD) {
            return new UnrecordedPackets(packets, Math.min(MAXIMUM_LEAD_IN_PACKETS, packets), pace);
        }
        long burstsInTime = Math.max(1, MAXIMUM_LEAD_IN_NS / pace.intervalNs());
        long burstsOfPackets = Math.max(1, MAXIMUM_LEAD_IN_PACKETS / pace.burst());
        // Whole bursts only, so that the first recorded packet begins one.
        long leadInBursts = Math.min(Math.min(burstsOfPackets, burstsInTime), packets / pace.burst());
        long leadIn = leadInBursts * pace.burst();
        long packetIntervalNs = Math.max(RunParameters.MINIMUM_INTERVAL_NS, pace.intervalNs() / pace.burst());
        long minimumNs = pace.mode() == Pace.Mode.HYBRID ? FAST_HYBRID_INTERVAL_NS : FAST_INTERVAL_NS;
        long fastNs = Math.min(packetIntervalNs, Math.max(minimumNs, minimumIntervalNs));
        return new UnrecordedPackets(packets, leadIn, new Pace(pace.mode(), fastNs * pace.burst(), pace.burst()));
    }

    /** Returns the number of packets of the lead-out: as many bursts as the medium needs, from one to a second. */
    static long leadOutPackets(RunSpec spec, Transport transport) {
        Point point = spec.point();
        if (point.traffic().kind() == Traffic.TRANSFER) {
            return 0; // the end of a transfer is measured, so nothing may follow it
        }
        if (point.traffic().isPingPong()) {
            return 1; // each packet waits for the reply to the one before it, so none affects an earlier one
        }
        Pace pace = point.pace();
        boolean flood = pace.mode() == Pace.Mode.FLOOD;
        long needed = transport.leadOutPackets(point.packetBytes(), point.allSettings(), flood);
        if (flood) {
            return needed;
        }
        long bursts = (needed + pace.burst() - 1) / pace.burst();
        return pace.burst() * Math.max(1, Math.min(bursts, MAXIMUM_LEAD_OUT_NS / pace.intervalNs()));
    }

    /** Returns the number of rounds before the lead-in. */
    int rounds() {
        return (int) Math.min(MAXIMUM_ROUNDS, (warmUpPackets - leadInPackets + ROUND_PACKETS - 1) / ROUND_PACKETS);
    }

    /** Returns the first sequence number of a round, from 0; after the last round, that of the lead-in. */
    long first(int round) {
        return -warmUpPackets + (warmUpPackets - leadInPackets) * round / rounds();
    }
}
