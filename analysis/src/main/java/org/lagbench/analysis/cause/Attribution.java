package org.lagbench.analysis.cause;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;

/**
 * Gives each value of a lag above a limit its cause.
 *
 * <p>What a packet is late by is its lag less the median, its excess. Had nothing delayed it, it would have come when
 * it came less that excess: that is when it was due. An event of the receiver delayed it as long as it went on between
 * the time due and the time received; one of the sender, between the time that it left, or should have left, and the
 * same excess later. So stamps are compared with events of the same clock only, and how far the two clocks are apart is
 * of no consequence.
 *
 * <p>Packets that are due before their predecessor has come queue behind it: what delayed the first of the queue delays
 * all, so that for each the time since the first was due counts. A queue ends with the first packet that is not due
 * before its predecessor has come, or whose excess is less than half that of the limit.
 *
 * <p>The cause is the one that went on longest in that time, if that is at least half of the excess; otherwise there is
 * none. Of causes that went on together the {@linkplain EventTimeline timeline} has chosen one.
 *
 * <p>Takes no memory a packet.
 */
public final class Attribution {
    private static final Cause[] CAUSES = Cause.values();

    private final JoinedRun run;
    private final Departure departure;
    private final EventTimeline sender;
    private final EventTimeline receiver;
    private final double medianNs;
    private final double limitNs;

    /**
     * How to judge a run.
     *
     * @param medianNs the median of the lag
     * @param limitNs values above have a cause
     */
    Attribution(
            JoinedRun run,
            Departure departure,
            EventTimeline sender,
            EventTimeline receiver,
            double medianNs,
            double limitNs) {
        this.run = run;
        this.departure = departure;
        this.sender = sender;
        this.receiver = receiver;
        this.medianNs = medianNs;
        this.limitNs = limitNs;
    }

    /** When a packet began to be under way: {@link JoinedRun#sentNs} or {@link JoinedRun#scheduledNs}. */
    @FunctionalInterface
    interface Departure {
        long ns(JoinedRun run, long packet) throws LagbenchException;
    }

    /** What each cause made. */
    TailCauses shares() throws LagbenchException {
        Map<SideCause, TailShare> byCause = new HashMap<>();
        TailShare unexplained = TailShare.NONE;
        Walk walk = walk();
        for (long i = 0; i < run.received(); i++) {
            if (walk.isInTail(i)) {
                TailShare share = new TailShare(1, (double) walk.excessNs());
                SideCause cause = walk.cause();
                if (cause == null) {
                    unexplained = unexplained.plus(share);
                } else {
                    byCause.merge(cause, share, TailShare::plus);
                }
            }
        }
        return new TailCauses(byCause, unexplained);
    }

    /** Begins to go over the arrivals. */
    public Walk walk() {
        return new Walk();
    }

    /** One pass over the arrivals, all of them, in their order. */
    public final class Walk {
        private final long median = Math.round(medianNs);
        private final double queueingNs = (limitNs - medianNs) / 2;
        private boolean queueing;
        private long queueDepartureNs;
        private long queueDueNs;
        private long predecessorNs;
        private long excessNs;
        private @Nullable SideCause cause;

        private Walk() {}

        /**
         * Goes on to the next arrival and tells whether its lag is above the limit; that of a further copy never is.
         */
        public boolean isInTail(long arrival) throws LagbenchException {
            if (!run.isFirstCopy(arrival)) {
                return false;
            }
            long receivedNs = run.receivedNs(arrival);
            long departedNs = departure.ns(run, run.packetOf(arrival));
            long lagNs = receivedNs - departedNs;
            excessNs = lagNs - median;
            boolean late = excessNs > 0 && (double) excessNs >= queueingNs;
            long dueNs = receivedNs - excessNs;
            if (!late) {
                queueing = false;
            } else if (queueing && dueNs <= predecessorNs) {
                queueDepartureNs = Math.min(queueDepartureNs, departedNs);
            } else {
                queueing = true;
                queueDepartureNs = departedNs;
                queueDueNs = dueNs;
            }
            predecessorNs = receivedNs;
            boolean inTail = (double) lagNs > limitNs;
            if (inTail) {
                cause = longest(departedNs + excessNs, receivedNs);
            }
            return inTail;
        }

        /** By how much the arrival in the tail that was last asked for is above the median, in ns. */
        public long excessNs() {
            return excessNs;
        }

        /** Its cause; null if there is none. */
        public @Nullable SideCause cause() {
            return cause;
        }

        private @Nullable SideCause longest(long departureEndNs, long receivedNs) {
            SideCause found = null;
            long longestNs = 0;
            for (Cause candidate : CAUSES) {
                if (candidate == Cause.KERNEL_DROP) {
                    continue;
                }
                long atReceiverNs = receiver.overlapNs(candidate, queueDueNs, receivedNs);
                if (atReceiverNs > longestNs) {
                    longestNs = atReceiverNs;
                    found = new SideCause(RunSide.RECEIVER, candidate);
                }
                long atSenderNs = sender.overlapNs(candidate, queueDepartureNs, departureEndNs);
                if (atSenderNs > longestNs) {
                    longestNs = atSenderNs;
                    found = new SideCause(RunSide.SENDER, candidate);
                }
            }
            return 2 * longestNs >= excessNs ? found : null;
        }
    }
}
