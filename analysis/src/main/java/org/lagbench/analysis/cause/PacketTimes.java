package org.lagbench.analysis.cause;

import java.util.List;
import org.lagbench.analysis.cause.EventTimeline.CauseSpan;
import org.lagbench.analysis.cause.Parts.Kind;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.core.cause.Cause;

/**
 * The times of one packet in ns, which divide its lag: at the sender until its driver had the packet, else until the
 * send call returned; on the path until the receiving kernel had it; then at the receiver. The events of each side
 * divide the time there by the clock of that side. So the sum of all parts is the lag, and an offset of the clocks is
 * in the path's part alone.
 *
 * <p>They are set for one packet after the other, so that a packet needs no object. Not thread-safe.
 */
final class PacketTimes {
    static final SideCause KERNEL = new SideCause(Role.RECEIVER, Cause.RECEIVER_KERNEL);
    private static final SideCause MISSING = new SideCause(Role.PATH, Cause.HEAD_OF_LINE_BLOCKING);
    private static final SideCause LIBRARY = new SideCause(Role.RECEIVER, Cause.LIBRARY);
    private static final SideCause WINDOW = new SideCause(Role.SENDER, Cause.RECEIVE_WINDOW);
    private static final SideCause SLEEP = new SideCause(Role.RECEIVER, Cause.WIRE_OR_WAKE_UP);
    private static final SideCause NETWORK = new SideCause(Role.PATH, Cause.NETWORK);
    private static final SideCause BEFORE = new SideCause(Role.PATH, Cause.BEFORE_RECEIVER);
    private static final SideCause LEFT = new SideCause(Role.PATH, Cause.NETWORK_OR_RECEIVER);
    private static final SideCause RETRANSMISSION = new SideCause(Role.SENDER, Cause.RETRANSMISSION);
    private static final SideCause CALL = new SideCause(Role.SENDER, Cause.SEND_CALL);
    private static final SideCause QUEUE = new SideCause(Role.SENDER, Cause.SENDER_QUEUE);
    static final SideCause LATE = new SideCause(Role.SENDER, Cause.LATE_SEND);
    static final SideCause EARLIER = new SideCause(Role.RECEIVER, Cause.EARLIER_PACKETS);

    /** When a lost segment was sent is known up to this, by a reading of TCP_INFO every ms, in ns. */
    private static final long LOSS_KNOWN_WITHIN_NS = 1_000_000;

    private final RunCauses causes;
    private final EventTimeline senderEvents;
    private final EventTimeline receiverEvents;
    private final KernelArrivals arrivals;

    /** What proves the time in the sender's queue. */
    private final Kind queueKind;

    /** When the lag begins: when the packet was scheduled or sent. */
    long departedNs;

    long sentNs;
    long returnedNs;

    /** When the sender's driver had it; {@link DriverStamps#NONE} if that is unknown. */
    long leftNs;

    /**
     * Until when at the latest another thread of the sender's process had it, to which the send call may have handed it
     * over; any earlier time if none did.
     */
    long handedUntilNs;

    /** When it can have been in the receiving kernel at the earliest, with its own stamp then; at most the next. */
    long earliestNs;

    /**
     * When it was in the receiving kernel for sure, in a stream with what is before it; {@link KernelArrivals#NONE} if
     * that is unknown.
     */
    long arrivedNs;

    long receivedNs;

    /**
     * Until when a library held it, which delivers packets a fixed time after they were sent; any earlier time if none
     * did.
     */
    long heldUntilNs;

    /** When the receiver had received the packets before it. */
    long freeNs;

    /** When the packet, or what is before it in a stream, was last retransmitted; before it was sent if it was not. */
    long retransmittedNs;

    /** Until when a retransmission can have delivered it, by the sender's clock. */
    long deliverableNs;

    PacketTimes(RunCauses causes) {
        this.causes = causes;
        senderEvents = causes.sender();
        receiverEvents = causes.receiver();
        arrivals = causes.arrivals();
        boolean isOfSegment = arrivals.isStream() && !arrivals.departures().areOfPackets();
        queueKind = isOfSegment ? Kind.BOUND : Kind.STAMP;
    }

    /** Divides the lag. */
    void divide(Division lag) {
        boolean hasArrived = arrivedNs != KernelArrivals.NONE;
        boolean hasLeft = leftNs != DriverStamps.NONE;
        long atHostNs = hasArrived ? arrivedNs : receivedNs;
        long endNs = hasLeft ? leftNs : Math.min(returnedNs, atHostNs);
        if (hasLeft && arrivals.isStream()) {
            endNs = Math.min(endNs, atHostNs); // the stamp is of the end of a segment
        }
        endNs = Math.max(endNs, sentNs);
        long receiverNs = hasArrived || arrivals.hasNetwork() ? atHostNs : endNs;
        lag.begin();
        late(lag);
        sender(lag, hasLeft, endNs);
        path(lag, hasLeft, endNs, receiverNs);
        receiver(lag, receiverNs, hasArrived);
    }

    /** Divides the time until the send call; the packet may have been sent before its scheduled time. */
    private void late(Division lag) {
        long ns = sentNs - departedNs;
        if (ns < 0) {
            lag.addStretch(LATE, Kind.STAMP, 0, ns);
            return;
        }
        lag.beginStretch(Role.SENDER, 0, ns);
        lag.takeSpans(Role.SENDER, senderEvents, departedNs, 0, ns, false);
        lag.take(LATE, Kind.STAMP, 0, ns, ns);
        lag.endStretch();
    }

    private void sender(Division lag, boolean hasLeft, long endNs) {
        long ns = endNs - sentNs;
        long callNs = Math.max(0, Math.min(ns, returnedNs - sentNs));
        lag.beginStretch(Role.SENDER, sentNs - departedNs, ns);
        lag.takeSpans(Role.SENDER, senderEvents, sentNs, 0, callNs, false);
        takeStopsWhileHanded(lag, sentNs, callNs, ns);
        lag.takeEvents(WINDOW, Kind.EVENT, senderEvents, sentNs, 0, ns);
        if (causes.isSenderComplete() && isWhole(senderEvents, sentNs, returnedNs)) {
            // without a stamp of its driver, the packet may have left before the call returned
            Kind kind = hasLeft || !arrivals.hasNetwork() ? Kind.STAMP : Kind.BOUND;
            lag.take(CALL, kind, 0, callNs, ns);
        }
        lag.take(QUEUE, queueKind, callNs, ns, ns);
        lag.endStretch();
    }

    private void path(Division lag, boolean hasLeft, long beginNs, long endNs) {
        SideCause path = hasLeft ? NETWORK : BEFORE;
        Kind kind = hasLeft && causes.isSameClock() ? Kind.STAMP : Kind.BOUND;
        long ns = endNs - beginNs;
        if (ns < 0) {
            lag.addStretch(path, Kind.BOUND, beginNs - departedNs, ns);
            return;
        }
        lag.beginStretch(null, beginNs - departedNs, ns); // without its driver's stamp, it may be in the sender's queue
        takeRetransmission(lag, hasLeft, beginNs, ns);
        if (!hasLeft) {
            takeStopsWhileHanded(lag, beginNs, 0, ns);
            lag.takeEvents(WINDOW, Kind.EVENT, senderEvents, beginNs, 0, ns);
        }
        lag.take(path, kind, 0, earliestNs - beginNs, ns);
        if (arrivals.isInOrder() && arrivedNs != KernelArrivals.NONE) {
            lag.take(MISSING, Kind.STAMP, Math.max(0, earliestNs - beginNs), ns, ns);
        }
        if (hasLeft) {
            lag.take(LEFT, Kind.BOUND, 0, ns, ns);
        }
        lag.endStretch();
    }

    /**
     * A packet that has left waits for its retransmission, or that of what is before it, from then on. One that may
     * have been in the sender's queues does so only since the segment was sent that was lost.
     */
    private void takeRetransmission(Division lag, boolean hasLeft, long beginNs, long ns) {
        List<CauseSpan> lost = senderEvents.spans(Cause.RETRANSMISSION);
        boolean isDeliveredThen = retransmittedNs > beginNs;
        long untilNs = Math.min(ns, (isDeliveredThen ? retransmittedNs : deliverableNs) - beginNs);
        int last = EventTimeline.countBefore(lost, beginNs + untilNs) - 1;
        for (int i = last; i >= 0 && lost.get(i).endNs() > beginNs; i--) {
            long since = hasLeft && isDeliveredThen ? 0 : lost.get(i).startNs() - LOSS_KNOWN_WITHIN_NS - beginNs;
            lag.take(
                    RETRANSMISSION,
                    Kind.EVENT,
                    Math.max(0, since),
                    Math.min(untilNs, lost.get(i).endNs() - beginNs),
                    ns);
        }
    }

    private void receiver(Division lag, long beginNs, boolean hasArrived) {
        long ns = receivedNs - beginNs;
        lag.beginStretch(hasArrived ? Role.RECEIVER : null, beginNs - departedNs, ns);
        if (hasArrived) {
            lag.take(LIBRARY, Kind.BOUND, 0, heldUntilNs - beginNs, ns);
        }
        lag.takeSpans(Role.RECEIVER, receiverEvents, beginNs, 0, ns, false);
        if (!hasArrived) {
            takeStopsWhileHanded(lag, beginNs, 0, ns);
        }
        lag.takeEvents(SLEEP, Kind.BOUND, receiverEvents, beginNs, 0, ns);
        lag.take(EARLIER, hasArrived ? Kind.STAMP : Kind.BOUND, 0, freeNs - beginNs, ns);
        long freedNs = Math.max(beginNs, heldUntilNs); // what was lost while it was held does not matter
        if (hasArrived && causes.isReceiverComplete() && isWhole(receiverEvents, freedNs, receivedNs)) {
            lag.take(KERNEL, Kind.STAMP, 0, ns, ns);
        }
        lag.endStretch();
    }

    /** Returns whether a side's record of waits is without gaps. */
    private static boolean isWhole(EventTimeline events, long fromNs, long toNs) {
        return events.overlapNs(Cause.WAITS_LOST, fromNs, toNs) == 0;
    }

    /** A thread to which the send call hands a packet over stops with its process. */
    private void takeStopsWhileHanded(Division lag, long atNs, long from, long to) {
        long until = Math.min(to, handedUntilNs - atNs);
        if (until > from) {
            lag.takeSpans(Role.SENDER, senderEvents, atNs, from, until, true);
        }
    }
}
