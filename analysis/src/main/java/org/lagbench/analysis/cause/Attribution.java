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
 * <p>What a packet is late by is its lag less the median, its excess. Had nothing delayed it, it would have come when it
 * came less that excess: that is when it was due. An event of the receiver delayed it as long as it went on between the
 * time due and the time received; one of the sender, between the time that it left, or should have left, and the same
 * excess later. So stamps are compared with events of the same clock only, and how far the two clocks are apart is of no
 * consequence.
 *
 * <p>Packets that are due before their predecessor has come queue behind it: what delayed the first of the queue delays
 * all, so that for each the time since the first was due counts. A queue ends with the first packet that is not due
 * before its predecessor has come, or whose excess is less than half that of the limit.
 *
 * <p>The cause is the one that went on longest in that time, if that is at least half of the excess; otherwise there is
 * none. Of causes that went on together the {@linkplain EventTimeline timeline} has chosen one.
 *
 * <p>One pass over the captures in the order of arrival. Takes no memory a packet.
 */
final class Attribution {
    private static final Cause[] CAUSES = Cause.values();

    private final JoinedRun run;
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
    Attribution(JoinedRun run, EventTimeline sender, EventTimeline receiver, double medianNs, double limitNs) {
        this.run = run;
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

    /** Is told of each value above the limit. */
    @FunctionalInterface
    interface Consumer {
        /**
         * One value.
         *
         * @param packet its packet's sequence number
         * @param excessNs by how much it is above the median
         * @param cause null if there is none
         */
        void accept(long packet, long excessNs, @Nullable SideCause cause);
    }

    /** What each cause made. */
    TailCauses shares(Departure departure) throws LagbenchException {
        Map<SideCause, Share> byCause = new HashMap<>();
        Share[] unexplained = {Share.NONE};
        forEach(departure, (packet, excessNs, cause) -> {
            Share share = new Share(1, (double) excessNs);
            if (cause == null) {
                unexplained[0] = unexplained[0].plus(share);
            } else {
                byCause.merge(cause, share, Share::plus);
            }
        });
        return new TailCauses(byCause, unexplained[0]);
    }

    /** Hands over every value above the limit, in the order of arrival. */
    void forEach(Departure departure, Consumer consumer) throws LagbenchException {
        long median = Math.round(medianNs);
        double queueingNs = (limitNs - medianNs) / 2;
        boolean queueing = false;
        long queueDepartureNs = 0;
        long queueDueNs = 0;
        long predecessorNs = 0;
        for (long i = 0; i < run.received(); i++) {
            if (!run.isFirstCopy(i)) {
                continue;
            }
            long packet = run.packetOf(i);
            long receivedNs = run.receivedNs(i);
            long departedNs = departure.ns(run, packet);
            long lagNs = receivedNs - departedNs;
            long excessNs = lagNs - median;
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
            if ((double) lagNs > limitNs) {
                consumer.accept(
                        packet,
                        excessNs,
                        cause(excessNs, queueDepartureNs, departedNs + excessNs, queueDueNs, receivedNs));
            }
        }
    }

    private @Nullable SideCause cause(
            long excessNs, long departureNs, long departureEndNs, long dueNs, long receivedNs) {
        SideCause found = null;
        long longestNs = 0;
        for (Cause cause : CAUSES) {
            if (cause == Cause.KERNEL_DROP) {
                continue;
            }
            long atReceiverNs = receiver.overlapNs(cause, dueNs, receivedNs);
            if (atReceiverNs > longestNs) {
                longestNs = atReceiverNs;
                found = new SideCause(Side.RECEIVER, cause);
            }
            long atSenderNs = sender.overlapNs(cause, departureNs, departureEndNs);
            if (atSenderNs > longestNs) {
                longestNs = atSenderNs;
                found = new SideCause(Side.SENDER, cause);
            }
        }
        return 2 * longestNs >= excessNs ? found : null;
    }
}
