package org.lagbench.analysis.cause;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.lagbench.analysis.cause.Budget.BudgetBuilder;
import org.lagbench.analysis.cause.SideCause.RunSide;
import org.lagbench.analysis.cause.TailCauses.TailShare;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;

/**
 * Divides the delay of each value of a lag above a limit into parts with causes.
 *
 * <p>The excess of a packet is its lag minus the median. Its due time is its arrival minus the excess. An event at the
 * receiver delays it during [arrival − (lag − min lag), arrival], an event at the sender during [departure, departure +
 * excess]; once the send call has returned, only stops of the whole process count there. The receiver's interval is
 * longer than the excess, because an event can delay each part of the way, and what follows it takes time too. Stamps
 * are compared only with events of the same clock, so that the clock offset does not matter. A retransmission can delay
 * a packet anywhere on its way: it counts between departure and departure + lag − min lag. Each moment of the excess
 * has at most one cause, so that the parts never exceed the excess. Of simultaneous causes the
 * {@linkplain EventTimeline timeline} has chosen one.
 *
 * <p>A packet that could have been received before its predecessor was received queues behind it. What no event covers
 * until then is the wait behind earlier packets, as far as it is after the arrival of the first packet of the queue. An
 * earlier event that delayed the queue takes that part. Such events count from when the first packet of the queue was
 * due whose excess is at least half that of the limit.
 *
 * <p>What then remains while the receiver's packet thread slept was on the wire or in a wake-up, where the receiver's
 * record has sleeps. The rest is unexplained.
 */
public final class Attribution {
    /** The number of packets of which the medians of the sender's times are taken. */
    private static final int SAMPLES = 4_001;

    private final RunCauses causes;
    private final JoinedRun run;
    private final boolean isFromSchedule;
    private final double medianNs;
    private final double limitNs;
    private final double minNs;
    private final long medianLatenessNs;
    private final long medianCallNs;

    /** The median time that the receiver needs for a packet which waits behind another; 0 if none waited. */
    private final long medianServiceNs;

    /**
     * Creates the attribution of one lag of a run.
     *
     * @param isFromSchedule whether that lag is the one from the scheduled time, not the transmit lag
     * @param medianNs the median of the lag
     * @param limitNs values above are attributed
     * @param minNs the minimum lag
     */
    Attribution(RunCauses causes, boolean isFromSchedule, double medianNs, double limitNs, double minNs)
            throws LagbenchException {
        this.causes = causes;
        this.run = causes.run();
        this.isFromSchedule = isFromSchedule;
        this.medianNs = medianNs;
        this.limitNs = limitNs;
        this.minNs = minNs;
        int samples = (int) Math.min(run.sent(), SAMPLES);
        long[] latenessNs = new long[samples];
        long[] callNs = new long[samples];
        for (int i = 0; i < samples; i++) {
            long packet = run.sent() * i / samples;
            latenessNs[i] = run.sentNs(packet) - run.scheduledNs(packet);
            callNs[i] = run.returnedNs(packet) - run.sentNs(packet);
        }
        medianLatenessNs = median(latenessNs);
        medianCallNs = median(callNs);
        medianServiceNs = medianServiceNs();
    }

    private long medianServiceNs() throws LagbenchException {
        LongStream.Builder serviceNs = LongStream.builder();
        int samples = (int) Math.min(run.received() - 1, SAMPLES);
        for (int i = 0; i < samples; i++) {
            long arrival = 1 + (run.received() - 1) * i / samples;
            long packet = run.packetOf(arrival);
            if (run.isFirstCopy(arrival) && packet < run.sent()) {
                long tookNs = run.receivedNs(arrival) - run.receivedNs(arrival - 1);
                long departedNs = isFromSchedule ? run.scheduledNs(packet) : run.sentNs(packet);
                if ((double) (run.receivedNs(arrival) - departedNs - tookNs) >= minNs) {
                    serviceNs.add(tookNs);
                }
            }
        }
        return median(serviceNs.build().toArray());
    }

    private static long median(long[] values) {
        Arrays.sort(values);
        return values.length == 0 ? 0 : values[values.length / 2];
    }

    /** Returns the share of each cause. */
    TailCauses shares() throws LagbenchException {
        Map<SideCause, TailShare> byCause = new HashMap<>();
        TailShare unexplained = TailShare.NONE;
        TailScan scan = scan();
        for (long i = 0; i < run.received(); i++) {
            if (scan.advance(i)) {
                Budget budget = scan.budget();
                SideCause largest = budget.cause();
                budget.byCause()
                        .forEach((cause, ns) -> byCause.merge(
                                cause, new TailShare(cause.equals(largest) ? 1 : 0, (double) ns), TailShare::plus));
                unexplained = unexplained.plus(new TailShare(largest == null ? 1 : 0, (double) budget.unexplainedNs()));
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
        private final long min = Math.round(minNs);
        private final double queueingNs = (limitNs - medianNs) / 2;
        private boolean isQueueing;
        private long queueDepartureNs;
        private long queueDueNs;
        private long predecessorNs;
        private long busySinceNs;
        private long packet;
        private long departedNs;
        private long lagNs;
        private long receivedNs;
        private long beforeNs;

        private TailScan() {}

        /** Advances to the next arrival and returns whether it is a first copy whose lag exceeds the limit. */
        public boolean advance(long arrival) throws LagbenchException {
            if (!run.isFirstCopy(arrival)) {
                return false;
            }
            receivedNs = run.receivedNs(arrival);
            packet = run.packetOf(arrival);
            departedNs = isFromSchedule ? run.scheduledNs(packet) : run.sentNs(packet);
            lagNs = receivedNs - departedNs;
            long excessNs = lagNs - median;
            boolean isLate = excessNs > 0 && (double) excessNs >= queueingNs;
            long dueNs = receivedNs - excessNs;
            if (isLate && isQueueing && dueNs <= predecessorNs) {
                queueDepartureNs = Math.min(queueDepartureNs, departedNs);
            } else if (isLate) {
                queueDepartureNs = departedNs;
                queueDueNs = dueNs;
            }
            isQueueing = isLate;
            if (receivedNs - (lagNs - min) > predecessorNs) {
                busySinceNs = receivedNs;
            }
            beforeNs = predecessorNs;
            predecessorNs = receivedNs;
            return (double) lagNs > limitNs;
        }

        /** Returns the budget of the last arrival, which must be a first copy whose lag exceeds the median. */
        public Budget budget() throws LagbenchException {
            long excess = lagNs - median;
            long due = receivedNs - excess;
            long sent = run.sentNs(packet) - departedNs;
            long returned = Math.max(sent, run.returnedNs(packet) - departedNs);
            BudgetBuilder builder = new BudgetBuilder(packet, lagNs, median);
            builder.takeSpans(RunSide.SENDER, causes.sender(), departedNs, 0, Math.min(returned, excess), false);
            builder.take(
                    new SideCause(RunSide.SENDER, Cause.RETRANSMISSION, null),
                    sent,
                    excess,
                    causes.sender().overlapNs(Cause.RETRANSMISSION, departedNs, departedNs + lagNs - min));
            builder.takeSpans(RunSide.RECEIVER, causes.receiver(), due, min - median, excess, false);
            builder.takeSpans(RunSide.SENDER, causes.sender(), departedNs, returned, excess, true);
            builder.takeQueue(
                    RunSide.RECEIVER,
                    causes.receiver(),
                    due,
                    queueDueNs,
                    Math.max(0, busySinceNs - due),
                    Math.min(excess, beforeNs + medianServiceNs - due),
                    excess,
                    Cause.EARLIER_PACKETS);
            builder.takeQueue(
                    RunSide.SENDER,
                    causes.sender(),
                    departedNs,
                    queueDepartureNs,
                    0,
                    Math.min(sent, excess),
                    sent - medianLatenessNs,
                    Cause.LATE_SEND);
            builder.take(
                    new SideCause(RunSide.SENDER, Cause.SEND_CALL, null),
                    sent,
                    returned,
                    returned - sent - medianCallNs);
            builder.takeSleeps(causes.receiver(), due, excess);
            return builder.build();
        }
    }
}
