package org.lagbench.analysis.cause;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;

/**
 * Attributes each value of a lag above a limit to a cause.
 *
 * <p>The excess of a packet is its lag minus the median. Its due time is its arrival minus the excess. An event at the
 * receiver delays it by the event's overlap with [due time, arrival], an event at the sender by the overlap with
 * [departure, departure + excess]. Stamps are compared only with events of the same clock, so that the clock offset
 * does not matter. A retransmission can delay a packet anywhere on its way: its overlap is that with [departure,
 * departure + lag − least lag], but at most the excess.
 *
 * <p>A packet that is due before its predecessor was received queues behind it. An event that delays the first packet
 * of a queue delays the whole queue. So the interval of each packet begins when the first one was due. A queue ends
 * with the first packet that is due after its predecessor was received, or whose excess is less than half that of the
 * limit.
 *
 * <p>The cause is the one with the longest overlap, if that is at least half of the excess; otherwise there is none. Of
 * simultaneous causes the {@linkplain EventTimeline timeline} has chosen one.
 */
public final class Attribution {
    private static final Cause[] CAUSES = Cause.values();

    private final RunCauses causes;
    private final JoinedRun run;
    private final boolean isFromSchedule;
    private final double medianNs;
    private final double limitNs;
    private final double leastNs;

    /**
     * Creates the attribution of one lag of a run.
     *
     * @param isFromSchedule whether that lag is the one from the scheduled time, not the transmit lag
     * @param medianNs the median of the lag
     * @param limitNs values above are attributed
     * @param leastNs the least lag
     */
    Attribution(RunCauses causes, boolean isFromSchedule, double medianNs, double limitNs, double leastNs) {
        this.causes = causes;
        this.run = causes.run();
        this.isFromSchedule = isFromSchedule;
        this.medianNs = medianNs;
        this.limitNs = limitNs;
        this.leastNs = leastNs;
    }

    /** Returns the share of each cause. */
    TailCauses shares() throws LagbenchException {
        Map<SideCause, TailShare> byCause = new HashMap<>();
        TailShare unexplained = TailShare.NONE;
        TailScan scan = scan();
        for (long i = 0; i < run.received(); i++) {
            if (scan.advance(i)) {
                TailShare share = new TailShare(1, (double) scan.excessNs());
                SideCause cause = scan.cause();
                if (cause == null) {
                    unexplained = unexplained.plus(share);
                } else {
                    byCause.merge(cause, share, TailShare::plus);
                }
            }
        }
        return new TailCauses(byCause, unexplained);
    }

    /** Returns a new scan, which begins before the first arrival. */
    public TailScan scan() {
        return new TailScan();
    }

    /** One pass through all arrivals, in their order. */
    public final class TailScan {
        private final long median = Math.round(medianNs);
        private final long least = Math.round(leastNs);
        private final double queueingNs = (limitNs - medianNs) / 2;
        private boolean isQueueing;
        private long queueDepartureNs;
        private long queueDueNs;
        private long predecessorNs;
        private long excessNs;
        private @Nullable SideCause cause;

        private TailScan() {}

        /** Advances to the next arrival and returns whether it is a first copy whose lag exceeds the limit. */
        public boolean advance(long arrival) throws LagbenchException {
            if (!run.isFirstCopy(arrival)) {
                return false;
            }
            long receivedNs = run.receivedNs(arrival);
            long packet = run.packetOf(arrival);
            long departedNs = isFromSchedule ? run.scheduledNs(packet) : run.sentNs(packet);
            long lagNs = receivedNs - departedNs;
            excessNs = lagNs - median;
            boolean isLate = excessNs > 0 && (double) excessNs >= queueingNs;
            long dueNs = receivedNs - excessNs;
            if (isLate && isQueueing && dueNs <= predecessorNs) {
                queueDepartureNs = Math.min(queueDepartureNs, departedNs);
            } else if (isLate) {
                queueDepartureNs = departedNs;
                queueDueNs = dueNs;
            }
            isQueueing = isLate;
            predecessorNs = receivedNs;
            boolean isInTail = (double) lagNs > limitNs;
            if (isInTail) {
                cause = longest(departedNs, lagNs, receivedNs);
            }
            return isInTail;
        }

        /** Returns by how much the lag of the last arrival in the tail exceeds the median, in ns. */
        long excessNs() {
            return excessNs;
        }

        /** Returns the cause of the last arrival in the tail; null if there is none. */
        public @Nullable SideCause cause() {
            return cause;
        }

        private @Nullable SideCause longest(long departedNs, long lagNs, long receivedNs) {
            long departureEndNs = departedNs + excessNs;
            SideCause found = null;
            long longestNs = 0;
            for (Cause candidate : CAUSES) {
                if (candidate == Cause.KERNEL_DROP) {
                    continue;
                }
                long atReceiverNs = causes.receiver().overlapNs(candidate, queueDueNs, receivedNs);
                if (atReceiverNs > longestNs) {
                    longestNs = atReceiverNs;
                    found = new SideCause(RunSide.RECEIVER, candidate);
                }
                long atSenderNs = candidate == Cause.RETRANSMISSION
                        ? Math.min(
                                excessNs, causes.sender().overlapNs(candidate, departedNs, departedNs + lagNs - least))
                        : causes.sender().overlapNs(candidate, queueDepartureNs, departureEndNs);
                if (atSenderNs > longestNs) {
                    longestNs = atSenderNs;
                    found = new SideCause(RunSide.SENDER, candidate);
                }
            }
            return 2 * longestNs >= excessNs ? found : null;
        }
    }
}
