package org.lagbench.analysis.cause;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;

/**
 * Divides one lag of the packets of a run into {@linkplain Ledger ledgers}, by {@link PacketTimes}, and names what made
 * the slow packets slower than usual ones: the {@linkplain Excess excess} of the parts of their ledgers.
 *
 * <p>A stream that retransmits between the departure of a packet and its arrival delivers it, or what is before it,
 * only then: until the last retransmission that is the min lag or more before it was received. The stamps of a stream
 * that packets share are then not those of its first bytes.
 *
 * <p>A packet that could have been received before its predecessor was received queues behind it. The wait behind
 * earlier packets counts for the events that delayed the queue, which are those since its first packet arrived, without
 * stamps since that was due. Before the receiver had received any packet of the queue, it did not wait behind packets
 * that were received, but for what delayed the first. A packet begins or joins a queue only if its excess is at least
 * half that of the limit. Packets that are sent late behind others queue likewise.
 */
public final class Attribution {
    /** The kernel stamps a retransmission up to this time after the segment was sent, in ns. */
    private static final long STAMPED_WITHIN_NS = 20_000;

    /** The number of packets next to the median that are usual ones. */
    private static final int USUAL = 101;

    private final RunCauses causes;
    private final JoinedRun run;
    private final KernelArrivals arrivals;
    private final boolean isFromSchedule;
    private final double medianNs;
    private final double limitNs;
    private final double minNs;

    /** The median time that the receiver needs for a packet from its stamp on. */
    private final long medianReadDelayNs;

    private final boolean mayBeHandedOver;

    private @Nullable LedgerTotal usual;

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
        medianReadDelayNs = arrivals.medianReadDelayNs();
        mayBeHandedOver = causes.mayBeHandedOver();
    }

    /** Returns the sum of the ledgers of the packets next to the median. The first call passes through all arrivals. */
    LedgerTotal usual() throws LagbenchException {
        LedgerTotal known = usual;
        if (known == null) {
            known = sumNextToMedian();
            usual = known;
        }
        return known;
    }

    private LedgerTotal sumNextToMedian() throws LagbenchException {
        long median = Math.round(medianNs);
        PriorityQueue<Ledger> nearest =
                new PriorityQueue<>(Comparator.comparingLong((Ledger ledger) -> Math.abs(ledger.lagNs() - median))
                        .reversed());
        TailScan scan = new TailScan();
        for (long i = 0; i < run.received(); i++) {
            scan.advance(i);
            Ledger farthest = nearest.peek();
            if (run.isFirstCopy(i)
                    && (farthest == null
                            || nearest.size() < USUAL
                            || Math.abs(scan.lagNs - median) < Math.abs(farthest.lagNs() - median))) {
                nearest.add(scan.ledger());
                if (nearest.size() > USUAL) {
                    nearest.remove();
                }
            }
        }
        LedgerSum sum = new LedgerSum();
        nearest.forEach(sum::add);
        return sum.total();
    }

    /** Sums the ledgers of all packets, of those next to the median, and of those above the limit. */
    LagLedgers sums() throws LagbenchException {
        LedgerSum all = new LedgerSum();
        LedgerSum tail = new LedgerSum();
        TailScan scan = scan();
        for (long i = 0; i < run.received(); i++) {
            boolean isSlow = scan.advance(i);
            if (run.isFirstCopy(i)) {
                Division lag = scan.divide();
                all.add(lag);
                if (isSlow) {
                    tail.add(lag);
                    tail.add(scan.excess(scan.ledgerOf(lag)));
                }
            }
        }
        return new LagLedgers(all.total(), usual(), tail.total());
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
        private final PacketTimes times = new PacketTimes(causes);
        private final Division division = new Division();
        private boolean isQueueing;
        private long queue;
        private long queueDepartureNs;
        private long queueSinceNs;
        private long queuedNs;
        private long predecessorNs;
        private long busySinceNs;
        private long arrival;
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
            long excessNs = lagNs - median;
            boolean isLate = excessNs > 0 && (double) excessNs >= queueingNs;
            boolean isReadable = stampNs != KernelArrivals.NONE && !arrivals.isHeld();
            queuedNs = isReadable ? stampNs : receivedNs - excessNs;
            if (isLate && isQueueing && queuedNs <= predecessorNs) {
                queueDepartureNs = Math.min(queueDepartureNs, departedNs);
            } else if (isLate) {
                queue++;
                queueDepartureNs = departedNs;
                queueSinceNs = queuedNs;
            }
            isQueueing = isLate;
            if ((isReadable ? stampNs : departedNs + min) > predecessorNs) {
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

        /** Returns the number of the queue of the last arrival, if that is late. */
        long queue() {
            return queue;
        }

        /** Returns the ledger of the last arrival, which must be a first copy. */
        public Ledger ledger() throws LagbenchException {
            return ledgerOf(divide());
        }

        Ledger ledgerOf(Division lag) {
            return new Ledger(packet, lagNs, causes.clockBoundNs(), lag.parts());
        }

        /**
         * Divides the lag of the last arrival, which must be a first copy. The next call divides in the same object.
         */
        Division divide() throws LagbenchException {
            long sentNs = run.sentNs(packet);
            // after a retransmission, stamps that packets share are not those of its first bytes
            boolean isUnknown = stampNs == KernelArrivals.NONE
                    || (arrivals.areShared()
                            && causes.sender().overlapNs(Cause.RETRANSMISSION, sentNs, receivedNs - min) > 0);
            times.departedNs = departedNs;
            times.sentNs = sentNs;
            times.returnedNs = Math.max(sentNs, run.returnedNs(packet));
            times.leftNs = arrivals.departures().leftNs(packet);
            times.earliestNs = isUnknown
                    ? sentNs
                    : arrivals.isJoined(arrival) ? Math.min(stampNs, Math.max(sentNs, earlierStampNs)) : ownStampNs;
            long latestNs = times.leftNs == DriverStamps.NONE
                    ? (isUnknown ? receivedNs : times.earliestNs) - min
                    : times.leftNs;
            times.handedUntilNs = mayBeHandedOver ? latestNs : Long.MIN_VALUE / 2;
            times.arrivedNs = isUnknown ? KernelArrivals.NONE : stampNs;
            times.receivedNs = receivedNs;
            times.heldUntilNs = arrivals.isHeld() ? departedNs + min : Long.MIN_VALUE / 2;
            times.freeNs = beforeNs;
            times.deliverableNs = deliverableNs();
            times.retransmittedNs = Math.max(
                    Long.MIN_VALUE / 2, causes.sender().retransmittedNs(times.deliverableNs + STAMPED_WITHIN_NS));
            times.divide(division);
            return division;
        }

        /** Returns the excess of the last arrival, which must be a first copy that exceeds the median. */
        public Excess excess() throws LagbenchException {
            return excess(ledger());
        }

        Excess excess(Ledger ledger) throws LagbenchException {
            return Excess.of(ledger, usual(), (double) lagNs - medianNs)
                    .withMakersOf(
                            PacketTimes.EARLIER,
                            makers(Role.RECEIVER, causes.receiver(), queueSinceNs, queuedNs),
                            Math.max(0, beforeNs - busySinceNs),
                            ledger.parts().byCause().containsKey(PacketTimes.KERNEL) ? PacketTimes.KERNEL : null)
                    .withMakersOf(
                            PacketTimes.LATE,
                            makers(Role.SENDER, causes.sender(), queueDepartureNs, departedNs),
                            lagNs,
                            null);
        }

        /** Returns the events of a side that delayed the queue of the packet before it joined that. */
        private Parts makers(Role side, EventTimeline events, long sinceNs, long untilNs) {
            Division wait = new Division();
            wait.beginStretch(side, 0, lagNs);
            wait.takeQueue(side, events, sinceNs, untilNs);
            wait.endStretch();
            return wait.parts();
        }

        /** Returns until when a retransmission can have delivered the packet, by the sender's clock. */
        private long deliverableNs() {
            boolean hasStamp = stampNs != KernelArrivals.NONE && !arrivals.areShared();
            return (hasStamp ? Math.min(receivedNs, stampNs + medianReadDelayNs) : receivedNs) - min;
        }
    }
}
