package org.lagbench.analysis.cause;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.lagbench.analysis.cause.Parts.Kind;
import org.lagbench.analysis.cause.Parts.PartsBuilder;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.cause.TailCauses.TailShare;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.stage.DriverStamps;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;

/**
 * Divides the delay of each value of a lag above a limit into parts with causes.
 *
 * <p>The excess of a packet is its lag minus the median. Its due time is when it was received minus the excess. The
 * {@linkplain KernelArrivals stamp of the receiving kernel} divides the excess: what remains of it when the packet has
 * the stamp and the median time from there was spent before the receiver. Events at the sender count only there, those
 * at the receiver only after it, between the stamp and when the packet was received. Packets that share a stamp may
 * have arrived between the stamp before it and theirs: that part is assigned to the network or the receiver. So is all
 * that follows the sender's events without a stamp, unless no network lies between the sides. Then an event at the
 * receiver counts during [received − (lag − min lag), received].
 *
 * <p>The stamps of the sender's driver divide the time before the receiver that no event at the sender explains. What
 * exceeds the median time until the driver's stamp is assigned to the sender's queues, the rest to the network. A
 * packet of a stream that has its own stamp also waits in the receiving kernel until what is before it has arrived.
 *
 * <p>An event at the sender counts during [departure, departure + excess]; once the send call has returned, only stops
 * of the whole process count there. Stamps are compared only with events of the same clock, so that the clock offset
 * does not matter. A stream that retransmits between the departure of a packet and its arrival delivers it, or what is
 * before it, only then: the packet waited from its departure until the last retransmission that is the min lag or more
 * before it was received. The stamps of a stream are then not those of its first bytes. Each moment of the excess has
 * at most one cause, so that the parts never exceed the excess. Of simultaneous causes the {@linkplain EventTimeline
 * timeline} has chosen one.
 *
 * <p>A packet that could have been received before its predecessor was received queues behind it. What no event covers
 * until then is the wait behind earlier packets, as far as it is after the arrival of the first packet of the queue. An
 * earlier event that delayed the queue takes that part. Such events count from when the first packet of the queue
 * arrived, without stamps was due, whose excess is at least half that of the limit.
 *
 * <p>What then remains while the receiver's packet thread slept was on the wire or in a wake-up, where the receiver's
 * record has sleeps. The rest is unexplained.
 */
public final class Attribution {
    /** The kernel stamps a retransmission up to this time after the segment was sent, in ns. */
    private static final long STAMPED_WITHIN_NS = 20_000;

    /** The number of packets of which the medians of the sender's times are taken. */
    private static final int SAMPLES = 4_001;

    private final RunCauses causes;
    private final JoinedRun run;
    private final KernelArrivals arrivals;
    private final boolean isFromSchedule;
    private final double medianNs;
    private final double limitNs;
    private final double minNs;
    private final long medianLatenessNs;
    private final long medianCallNs;

    /** The median time that the receiver needs for a packet which waits behind another; 0 if none waited. */
    private final long medianServiceNs;

    /** The median time that the receiver needs for a packet from its stamp on. */
    private final long medianReadDelayNs;

    /** The median time that the sender needs for a packet from its send call until its driver has it. */
    private final long medianSendDelayNs;

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
        this.arrivals = causes.arrivals();
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
        medianReadDelayNs = arrivals.medianReadDelayNs();
        medianSendDelayNs = arrivals.medianSendDelayNs();
    }

    private long medianServiceNs() throws LagbenchException {
        LongStream.Builder serviceNs = LongStream.builder();
        int samples = (int) Math.min(run.received() - 1, SAMPLES);
        for (int i = 0; i < samples; i++) {
            long arrival = 1 + (run.received() - 1) * i / samples;
            long packet = run.packetOf(arrival);
            if (run.isFirstCopy(arrival) && packet < run.sent()) {
                long departedNs = isFromSchedule ? run.scheduledNs(packet) : run.sentNs(packet);
                long lagNs = run.receivedNs(arrival) - departedNs;
                if (readableNs(arrival, lagNs) <= run.receivedNs(arrival - 1)) {
                    serviceNs.add(run.receivedNs(arrival) - run.receivedNs(arrival - 1));
                }
            }
        }
        return median(serviceNs.build().toArray());
    }

    /** Returns from when on a packet could have been received, as far as that is proven or assumed. */
    private long readableNs(long arrival, long lagNs) throws LagbenchException {
        long stampNs = arrivals.stampNs(arrival);
        if (arrivals.isAssumed(arrival) || (arrivals.isHeld() && stampNs != KernelArrivals.NONE)) {
            return Math.max(stampNs, run.receivedNs(arrival) - (lagNs - Math.round(minNs)));
        }
        return stampNs == KernelArrivals.NONE ? run.receivedNs(arrival) : stampNs;
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
                Parts excess = scan.excess();
                SideCause largest = excess.cause();
                excess.byCause()
                        .forEach((cause, ns) -> byCause.merge(
                                cause, new TailShare(cause.equals(largest) ? 1 : 0, (double) ns), TailShare::plus));
                unexplained = unexplained.plus(new TailShare(largest == null ? 1 : 0, (double) excess.unexplainedNs()));
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
        private long queue;
        private long queueDepartureNs;
        private long queueSinceNs;
        private long predecessorNs;
        private long busySinceNs;
        private long arrival;
        private long arrivedNs;
        private long readableNs;
        private long stampNs;
        private long ownStampNs;
        private long earlierStampNs = KernelArrivals.NONE;
        private long unstampedUntilNs = KernelArrivals.NONE;
        private long packet;
        private long departedNs;
        private long lagNs;
        private long receivedNs;
        private long beforeNs;

        private TailScan() {}

        /** Advances to the next arrival and returns whether it is a first copy whose lag exceeds the limit. */
        public boolean advance(long next) throws LagbenchException {
            if (!run.isFirstCopy(next)) {
                return false;
            }
            arrival = next;
            receivedNs = run.receivedNs(arrival);
            packet = run.packetOf(arrival);
            departedNs = isFromSchedule ? run.scheduledNs(packet) : run.sentNs(packet);
            lagNs = receivedNs - departedNs;
            long lastStampNs = stampNs;
            stampNs = arrivals.stampNs(arrival);
            if (stampNs != lastStampNs) {
                earlierStampNs = Math.max(earlierStampNs, lastStampNs);
            }
            ownStampNs = stampNs;
            if (arrivals.isInOrder()) {
                orderStamp();
            }
            boolean isReadable = stampNs != KernelArrivals.NONE && !arrivals.isHeld();
            readableNs = isReadable ? stampNs : readableNs(arrival, lagNs);
            arrivedNs = stampNs == KernelArrivals.NONE ? readableNs : stampNs;
            long excessNs = lagNs - median;
            boolean isLate = excessNs > 0 && (double) excessNs >= queueingNs;
            long dueNs = receivedNs - excessNs;
            long queuedNs = isReadable ? readableNs : dueNs;
            if (isLate && isQueueing && queuedNs <= predecessorNs) {
                queueDepartureNs = Math.min(queueDepartureNs, departedNs);
            } else if (isLate) {
                queue++;
                queueDepartureNs = departedNs;
                queueSinceNs = queuedNs;
            }
            isQueueing = isLate;
            if (readableNs > predecessorNs) {
                busySinceNs = receivedNs;
            }
            if (receivedNs > predecessorNs) {
                beforeNs = predecessorNs; // packets that one call received wait for it together
            }
            predecessorNs = receivedNs;
            return (double) lagNs > limitNs;
        }

        /** Sets the stamp to when all before the packet had arrived too, which is not known if some has no stamp. */
        private void orderStamp() {
            if (stampNs == KernelArrivals.NONE) {
                unstampedUntilNs = receivedNs;
            } else if (stampNs < unstampedUntilNs) {
                stampNs = KernelArrivals.NONE;
            } else {
                stampNs = Math.max(stampNs, earlierStampNs);
            }
        }

        /** Returns the lag of the last arrival that was a first copy, in ns. */
        long lagNs() {
            return lagNs;
        }

        /** Returns the number of the queue of the last arrival, if that is late. */
        long queue() {
            return queue;
        }

        /** Returns the ledger of the last arrival, which must be a first copy. */
        public Ledger ledger() throws LagbenchException {
            long sentNs = run.sentNs(packet);
            long returnedNs = Math.max(sentNs, run.returnedNs(packet));
            // after a retransmission, stamps that packets share are not those of its first bytes
            boolean isUnknown = stampNs == KernelArrivals.NONE
                    || (arrivals.areShared()
                            && causes.sender().overlapNs(Cause.RETRANSMISSION, sentNs, receivedNs - min) > 0);
            long earliestNs = isUnknown
                    ? sentNs
                    : arrivals.isJoined(arrival) ? Math.min(stampNs, Math.max(sentNs, earlierStampNs)) : ownStampNs;
            long leftNs = arrivals.departures().leftNs(packet);
            long latestNs = leftNs == DriverStamps.NONE ? (isUnknown ? receivedNs : earliestNs) - min : leftNs;
            PacketTimes times = new PacketTimes(
                    departedNs,
                    sentNs,
                    returnedNs,
                    leftNs,
                    causes.areHandedOver() ? latestNs : Long.MIN_VALUE / 2,
                    earliestNs,
                    isUnknown ? KernelArrivals.NONE : stampNs,
                    receivedNs,
                    arrivals.isHeld() ? departedNs + min : Long.MIN_VALUE / 2,
                    beforeNs,
                    retransmittedNs());
            return new Ledger(packet, lagNs, causes.clockBoundNs(), times.divide(causes));
        }

        /** Divides the lag above the median of the last arrival, which must be a first copy that exceeds it. */
        public Parts excess() throws LagbenchException {
            long excess = lagNs - median;
            long due = receivedNs - excess;
            long sent = run.sentNs(packet) - departedNs;
            long returned = Math.max(sent, run.returnedNs(packet) - departedNs);
            long retransmittedNs = Math.max(
                    retransmittedNs() - run.sentNs(packet),
                    causes.sender().overlapNs(Cause.RETRANSMISSION, departedNs, departedNs + lagNs - min));
            // at the receiver for sure from this moment on, before it for sure until the other
            long arrived = moment(retransmittedNs > 0 && arrivals.areShared() ? receivedNs : arrivedNs);
            long onTheWay = moment(arrivals.isJoined(arrival) ? earlierStampNs : ownStampNs);
            long sending = arrivals.isAssumed(arrival) ? excess : arrived;
            boolean isReadable = stampNs != KernelArrivals.NONE && !arrivals.isHeld();
            long readableSince = isReadable ? readableNs : due;
            PartsBuilder builder = new PartsBuilder(excess);
            builder.takeSpans(Role.SENDER, causes.sender(), departedNs, 0, 0, Math.min(returned, sending), false);
            builder.take(new SideCause(Role.SENDER, Cause.RETRANSMISSION), Kind.EVENT, sent, sending, retransmittedNs);
            long left = Math.min(sending, leftByNs() - departedNs);
            builder.takeEvents(PacketTimes.WINDOW, Kind.EVENT, causes.sender(), departedNs, sent, left);
            builder.takeSpans(Role.RECEIVER, causes.receiver(), due, readableNs - due, arrived, excess, false);
            builder.takeSpans(Role.SENDER, causes.sender(), departedNs, returned, returned, sending, true);
            builder.takeQueue(
                    Role.RECEIVER,
                    causes.receiver(),
                    readableSince,
                    queueSinceNs,
                    Math.max(arrived, busySinceNs - due),
                    Math.min(excess, beforeNs + medianServiceNs - due),
                    excess,
                    Cause.EARLIER_PACKETS);
            builder.takeQueue(
                    Role.SENDER,
                    causes.sender(),
                    departedNs,
                    queueDepartureNs,
                    0,
                    Math.min(sent, sending),
                    sent - medianLatenessNs,
                    Cause.LATE_SEND);
            builder.take(
                    new SideCause(Role.SENDER, Cause.SEND_CALL),
                    Kind.STAMP,
                    sent,
                    Math.min(returned, sending),
                    returned - sent - medianCallNs);
            builder.takeEvents(PacketTimes.SLEEP, Kind.BOUND, causes.receiver(), due, arrived, excess);
            takeWay(builder, sent, onTheWay);
            if (arrivals.isInOrder() && stampNs != KernelArrivals.NONE) {
                builder.take(PacketTimes.MISSING, Kind.STAMP, onTheWay, arrived, excess);
            }
            builder.take(new SideCause(Role.PATH, Cause.NETWORK_OR_RECEIVER), Kind.BOUND, onTheWay, arrived, excess);
            return builder.build();
        }

        /** Returns when the packet, or what is before it, was last retransmitted; before it was sent if it was not. */
        private long retransmittedNs() {
            boolean hasStamp = stampNs != KernelArrivals.NONE && !arrivals.areShared();
            long untilNs = (hasStamp ? Math.min(receivedNs, stampNs + medianReadDelayNs) : receivedNs) - min;
            return Math.max(Long.MIN_VALUE / 2, causes.sender().retransmittedNs(untilNs + STAMPED_WITHIN_NS));
        }

        /** Returns when the packet had left the sender at the latest. */
        private long leftByNs() throws LagbenchException {
            long leftNs = arrivals.departures().leftNs(packet);
            return leftNs == DriverStamps.NONE ? receivedNs : leftNs;
        }

        /** Divides what the sender's events left of the way between the sender's queues and the network. */
        private void takeWay(PartsBuilder builder, long sent, long to) throws LagbenchException {
            long leftNs = arrivals.departures().leftNs(packet);
            if (leftNs == DriverStamps.NONE) {
                builder.take(new SideCause(Role.PATH, Cause.BEFORE_RECEIVER), Kind.BOUND, 0, to, to);
            } else {
                long queuedNs = leftNs - run.sentNs(packet) - medianSendDelayNs;
                builder.take(new SideCause(Role.SENDER, Cause.SENDER_QUEUE), Kind.STAMP, sent, to, queuedNs);
                builder.take(new SideCause(Role.PATH, Cause.NETWORK), Kind.STAMP, 0, to, to);
            }
        }

        /**
         * Returns the moment of the excess that divides it between before and after a packet's arrival. Until it was
         * received, the packet then needs the median time; without stamps that is not known.
         */
        private long moment(long arrivedNs) {
            if (arrivedNs == KernelArrivals.NONE) {
                return 0;
            }
            long excess = lagNs - median;
            return Math.max(0, Math.min(excess, arrivedNs + medianReadDelayNs - (receivedNs - excess)));
        }
    }
}
