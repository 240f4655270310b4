package org.lagbench.analysis.cause;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.cause.EventTimeline.CauseSpan;
import org.lagbench.analysis.cause.Parts.Kind;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.cause.Parts.PartsBuilder;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.core.cause.Cause;

/**
 * The times of one packet in ns, which divide its lag: at the sender until its driver had the packet, else until the
 * send call returned; on the path until the receiving kernel had it; then at the receiver. The events of each side
 * divide the time there by the clock of that side. So the sum of all parts is the lag, and an offset of the clocks is
 * in the path's part alone.
 *
 * @param departedNs when the lag begins: when the packet was scheduled or sent
 * @param leftNs when the sender's driver had it; {@link DriverStamps#NONE} if that is unknown
 * @param handedUntilNs until when at the latest another thread of the sender's process had it, to which the send call
 *     may have handed it over; any earlier time if none did
 * @param earliestNs when it can have been in the receiving kernel at the earliest, with its own stamp then; at most
 *     {@code arrivedNs}
 * @param arrivedNs when it was in the receiving kernel for sure, in a stream with what is before it;
 *     {@link KernelArrivals#NONE} if that is unknown
 * @param heldUntilNs until when a library held it, which delivers packets a fixed time after they were sent; any
 *     earlier time if none did
 * @param freeNs when the receiver had received the packets before it
 * @param retransmittedNs when the packet, or what is before it in a stream, was last retransmitted; before it was sent
 *     if it was not
 * @param deliverableNs until when a retransmission can have delivered it, by the sender's clock
 */
record PacketTimes(
        long departedNs,
        long sentNs,
        long returnedNs,
        long leftNs,
        long handedUntilNs,
        long earliestNs,
        long arrivedNs,
        long receivedNs,
        long heldUntilNs,
        long freeNs,
        long retransmittedNs,
        long deliverableNs) {
    static final SideCause KERNEL = new SideCause(Role.RECEIVER, Cause.RECEIVER_KERNEL);
    private static final SideCause MISSING = new SideCause(Role.PATH, Cause.HEAD_OF_LINE_BLOCKING);
    private static final SideCause LIBRARY = new SideCause(Role.RECEIVER, Cause.LIBRARY);
    private static final SideCause WINDOW = new SideCause(Role.SENDER, Cause.RECEIVE_WINDOW);
    private static final SideCause SLEEP = new SideCause(Role.RECEIVER, Cause.WIRE_OR_WAKE_UP);
    private static final SideCause LEFT = new SideCause(Role.PATH, Cause.NETWORK_OR_RECEIVER);
    private static final SideCause RETRANSMISSION = new SideCause(Role.SENDER, Cause.RETRANSMISSION);
    static final SideCause LATE = new SideCause(Role.SENDER, Cause.LATE_SEND);
    static final SideCause EARLIER = new SideCause(Role.RECEIVER, Cause.EARLIER_PACKETS);

    /** When a lost segment was sent is known up to this, by a reading of TCP_INFO every ms, in ns. */
    private static final long LOSS_KNOWN_WITHIN_NS = 1_000_000;

    /** Divides the lag. */
    Parts divide(RunCauses causes) {
        KernelArrivals arrivals = causes.arrivals();
        boolean hasArrived = arrivedNs != KernelArrivals.NONE;
        boolean hasLeft = leftNs != DriverStamps.NONE;
        long atHostNs = hasArrived ? arrivedNs : receivedNs;
        long endNs = hasLeft ? leftNs : Math.min(returnedNs, atHostNs);
        if (hasLeft && arrivals.isStream()) {
            endNs = Math.min(endNs, atHostNs); // the stamp is of the end of a segment
        }
        endNs = Math.max(endNs, sentNs);
        long receiverNs = hasArrived || arrivals.hasNetwork() ? atHostNs : endNs;
        List<Part> parts = new ArrayList<>(late(causes));
        append(parts, sender(causes, hasLeft, endNs), sentNs - departedNs);
        append(parts, path(causes, hasLeft, endNs, receiverNs), endNs - departedNs);
        append(parts, receiver(causes, receiverNs, hasArrived), receiverNs - departedNs);
        return new Parts(parts);
    }

    /** Returns the parts until the send call; the packet may have been sent before its scheduled time. */
    private List<Part> late(RunCauses causes) {
        long ns = sentNs - departedNs;
        if (ns < 0) {
            return List.of(new Part(LATE, Kind.STAMP, 0, ns));
        }
        PartsBuilder builder = new PartsBuilder(ns);
        builder.takeSpans(Role.SENDER, causes.sender(), departedNs, 0, ns, false);
        builder.take(LATE, Kind.STAMP, 0, ns, ns);
        return builder.build().parts();
    }

    private Parts sender(RunCauses causes, boolean hasLeft, long endNs) {
        long ns = endNs - sentNs;
        long callNs = Math.max(0, Math.min(ns, returnedNs - sentNs));
        PartsBuilder builder = new PartsBuilder(ns);
        builder.takeSpans(Role.SENDER, causes.sender(), sentNs, 0, callNs, false);
        takeStopsWhileHanded(builder, causes, sentNs, callNs, ns);
        builder.takeEvents(WINDOW, Kind.EVENT, causes.sender(), sentNs, 0, ns);
        if (causes.isSenderComplete() && isWhole(causes.sender(), sentNs, returnedNs)) {
            // without a stamp of its driver, the packet may have left before the call returned
            Kind kind = hasLeft || !causes.arrivals().hasNetwork() ? Kind.STAMP : Kind.BOUND;
            builder.take(new SideCause(Role.SENDER, Cause.SEND_CALL), kind, 0, callNs, ns);
        }
        boolean isOfSegment =
                causes.arrivals().isStream() && !causes.arrivals().departures().areOfPackets();
        Kind kind = isOfSegment ? Kind.BOUND : Kind.STAMP;
        builder.take(new SideCause(Role.SENDER, Cause.SENDER_QUEUE), kind, callNs, ns, ns);
        return builder.build();
    }

    private Parts path(RunCauses causes, boolean hasLeft, long beginNs, long endNs) {
        SideCause path = new SideCause(Role.PATH, hasLeft ? Cause.NETWORK : Cause.BEFORE_RECEIVER);
        Kind kind = hasLeft && causes.isSameClock() ? Kind.STAMP : Kind.BOUND;
        long ns = endNs - beginNs;
        if (ns < 0) {
            return new Parts(List.of(new Part(path, Kind.BOUND, 0, ns)));
        }
        PartsBuilder builder = new PartsBuilder(ns);
        takeRetransmission(builder, causes, hasLeft, beginNs, ns);
        if (!hasLeft) {
            takeStopsWhileHanded(builder, causes, beginNs, 0, ns);
            builder.takeEvents(WINDOW, Kind.EVENT, causes.sender(), beginNs, 0, ns);
        }
        builder.take(path, kind, 0, earliestNs - beginNs, ns);
        if (causes.arrivals().isInOrder() && arrivedNs != KernelArrivals.NONE) {
            builder.take(MISSING, Kind.STAMP, Math.max(0, earliestNs - beginNs), ns, ns);
        }
        if (hasLeft) {
            builder.take(LEFT, Kind.BOUND, 0, ns, ns);
        }
        return builder.build();
    }

    /**
     * A packet that has left waits for its retransmission, or that of what is before it, from then on. One that may
     * have been in the sender's queues does so only since the segment was sent that was lost.
     */
    private void takeRetransmission(PartsBuilder builder, RunCauses causes, boolean hasLeft, long beginNs, long ns) {
        List<CauseSpan> lost = causes.sender().spans(Cause.RETRANSMISSION);
        boolean isDeliveredThen = retransmittedNs > beginNs;
        long untilNs = Math.min(ns, (isDeliveredThen ? retransmittedNs : deliverableNs) - beginNs);
        int last = EventTimeline.countBefore(lost, beginNs + untilNs) - 1;
        for (int i = last; i >= 0 && lost.get(i).endNs() > beginNs; i--) {
            long since = hasLeft && isDeliveredThen ? 0 : lost.get(i).startNs() - LOSS_KNOWN_WITHIN_NS - beginNs;
            builder.take(
                    RETRANSMISSION,
                    Kind.EVENT,
                    Math.max(0, since),
                    Math.min(untilNs, lost.get(i).endNs() - beginNs),
                    ns);
        }
    }

    private Parts receiver(RunCauses causes, long beginNs, boolean hasArrived) {
        long ns = receivedNs - beginNs;
        PartsBuilder builder = new PartsBuilder(ns);
        if (hasArrived) {
            builder.take(LIBRARY, Kind.BOUND, 0, heldUntilNs - beginNs, ns);
        }
        builder.takeSpans(Role.RECEIVER, causes.receiver(), beginNs, 0, ns, false);
        if (!hasArrived) {
            takeStopsWhileHanded(builder, causes, beginNs, 0, ns);
        }
        builder.takeEvents(SLEEP, Kind.BOUND, causes.receiver(), beginNs, 0, ns);
        builder.take(EARLIER, hasArrived ? Kind.STAMP : Kind.BOUND, 0, freeNs - beginNs, ns);
        long freedNs = Math.max(beginNs, heldUntilNs); // what was lost while it was held does not matter
        if (hasArrived && causes.isReceiverComplete() && isWhole(causes.receiver(), freedNs, receivedNs)) {
            builder.take(KERNEL, Kind.STAMP, 0, ns, ns);
        }
        return builder.build();
    }

    /** Returns whether a side's record of waits is without gaps. */
    private static boolean isWhole(EventTimeline events, long fromNs, long toNs) {
        return events.overlapNs(Cause.WAITS_LOST, fromNs, toNs) == 0;
    }

    /** A thread to which the send call hands a packet over stops with its process. */
    private void takeStopsWhileHanded(PartsBuilder builder, RunCauses causes, long originNs, long from, long to) {
        long until = Math.min(to, handedUntilNs - originNs);
        if (until > from) {
            builder.takeSpans(Role.SENDER, causes.sender(), originNs, from, until, true);
        }
    }

    private static void append(List<Part> parts, Parts more, long sinceNs) {
        more.parts()
                .forEach(part -> parts.add(new Part(part.cause(), part.kind(), sinceNs + part.sinceNs(), part.ns())));
    }
}
