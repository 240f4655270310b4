package org.lagbench.sender;

import java.util.concurrent.TimeUnit;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunSpec;

/**
 * The packets before the recorded ones. Most go at a quick pace, in rounds, so that the compiler has seen every path
 * often enough, for which they go in bursts as the recorded ones do, and with a sleep before each where these have one;
 * then both sides collect their garbage; the rest lead into the recorded packets at the run's own pace without a pause,
 * so that the first recorded packet meets warm caches, a grown TCP window and a running bus.
 *
 * @param packets how many in all
 * @param leadInPackets how many of them lead in
 * @param pace of those that do not lead in
 */
record WarmUp(long packets, long leadInPackets, Pace pace) {
    private static final int MOST_ROUNDS = 4;

    /** A round of fewer makes nothing due. */
    private static final long ROUND_PACKETS = 500;

    private static final long MAXIMUM_LEAD_IN_PACKETS = 1_000;
    private static final long MAXIMUM_LEAD_IN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long QUICK_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /**
     * For less than this, which is due sooner than a sleep is long, a hybrid pacer would never sleep until the lead-in.
     */
    private static final long QUICK_HYBRID_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /**
     * The warm-up of a run.
     *
     * @param minimumIntervalNs shortest time between packets that the medium allows
     */
    static WarmUp of(RunSpec spec, long minimumIntervalNs) {
        Pace pace = spec.pace();
        if (pace.mode() == Pace.Mode.FLOOD) {
            return new WarmUp(spec.warmUpPackets(), Math.min(MAXIMUM_LEAD_IN_PACKETS, spec.warmUpPackets()), pace);
        }
        long fitting = Math.max(1, MAXIMUM_LEAD_IN_NS / pace.intervalNs());
        long few = Math.max(1, MAXIMUM_LEAD_IN_PACKETS / pace.burst());
        // Whole bursts only, so that the first recorded packet begins one.
        long leadInBursts = Math.min(Math.min(few, fitting), spec.warmUpPackets() / pace.burst());
        long leadIn = leadInBursts * pace.burst();
        long evenNs = Math.max(Pace.MINIMUM_INTERVAL_NS, pace.intervalNs() / pace.burst());
        long quickestNs = pace.mode() == Pace.Mode.HYBRID ? QUICK_HYBRID_INTERVAL_NS : QUICK_INTERVAL_NS;
        long quickNs = Math.min(evenNs, Math.max(quickestNs, minimumIntervalNs));
        return new WarmUp(spec.warmUpPackets(), leadIn, new Pace(pace.mode(), quickNs * pace.burst(), pace.burst()));
    }

    /** In how many rounds those go that do not lead in. */
    int rounds() {
        return (int) Math.min(MOST_ROUNDS, (packets - leadInPackets + ROUND_PACKETS - 1) / ROUND_PACKETS);
    }

    /** The sequence number of the first packet of a round, counted from 0; that of the lead-in's behind the last. */
    long first(int round) {
        return -packets + (packets - leadInPackets) * round / rounds();
    }
}
