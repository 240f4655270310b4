package org.lagbench.analysis.cause;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.PacketDrops;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.core.capture.DeparturesCapture;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.run.CauseFacts;
import org.lagbench.core.run.RetransmissionFacts;
import org.lagbench.core.run.RunRecord;

/**
 * The events that both sides of a run recorded, and the stamps of its packets: what divides its lags.
 *
 * @param arrivals when the packets reached the receiving kernel
 * @param drops the packets that the receiving kernel dropped; null if not recorded
 * @param tail which lags are attributed
 * @param isSenderComplete whether all sources of the sender recorded its events
 * @param isReceiverComplete whether all sources of the receiver recorded its events
 * @param isSameClock whether both sides have the same clock
 * @param clockBoundNs ± the error of a lag because of the clocks, in ns; null if unknown
 */
public record RunCauses(
        JoinedRun run,
        KernelArrivals arrivals,
        EventTimeline sender,
        EventTimeline receiver,
        @Nullable PacketDrops drops,
        Tail tail,
        boolean isSenderComplete,
        boolean isReceiverComplete,
        boolean isSameClock,
        @Nullable Long clockBoundNs) {
    /** The files of a run's directory that have the events, and the stamps that divide a lag. */
    public static final List<String> FILES = List.of(
            EventsCapture.SENDER_FILE_NAME,
            EventsCapture.RECEIVER_FILE_NAME,
            DropsCapture.FILE_NAME,
            DeparturesCapture.FILE_NAME,
            KernelCapture.FILE_NAME,
            CycleClock.SENDER_FILE_NAME,
            CycleClock.RECEIVER_FILE_NAME);

    /**
     * Reads the events of a run.
     *
     * @return null if the run has no record, or neither events of both sides nor the kernel's stamps of departures or
     *     arrivals; and of a run that was observed in windows, if it has no such events or is not of the packets of
     *     {@link ObservedRun}
     */
    public static @Nullable RunCauses open(JoinedRun run, Tail tail) throws LagbenchException {
        Path directory = run.directory();
        RunRecord record = run.record();
        if (record == null || (record.hasWindows() && !run.isRestricted())) {
            return null;
        }
        EventTimeline ofSender = EventTimeline.ofSender(run);
        EventTimeline ofReceiver = EventTimeline.ofReceiver(run);
        boolean hasEvents = ofSender != null && ofReceiver != null;
        KernelArrivals arrivals = KernelArrivals.of(record, run);
        boolean hasStamps = run.hasKernelStamps() || !arrivals.departures().isEmpty();
        if (!hasEvents && (record.hasWindows() || !hasStamps)) {
            return null;
        }
        EventTimeline sender = hasEvents ? Objects.requireNonNull(ofSender) : EventTimeline.NONE;
        EventTimeline receiver = hasEvents ? Objects.requireNonNull(ofReceiver) : EventTimeline.NONE;
        EventTimeline counting = isNeedlesslyRetransmitted(record) ? sender.withoutRetransmissions() : sender;
        RunRecord.Side receiving = record.receiver();
        RunRecord.Clock clock = record.clock();
        return new RunCauses(
                run,
                arrivals,
                counting,
                receiver,
                PacketDrops.read(directory, record),
                tail,
                hasEvents && isComplete(record.sender(), sender),
                hasEvents && receiving != null && isComplete(receiving, receiver),
                clock != null && clock.basis() == ClockBound.Basis.SAME_KERNEL,
                clock == null ? null : clock.boundNs());
    }

    /**
     * Returns whether the send call may have handed packets over to another thread of its process, as a library does.
     * The receivers of libraries have no stamps of the kernel.
     */
    boolean mayBeHandedOver() {
        RunRecord record = run.record();
        CallFacts calls = record == null ? null : record.sender().metadata(CallFacts.class);
        return !run.hasKernelStamps() || (calls != null && Boolean.TRUE.equals(calls.packetsHandedOver()));
    }

    private static boolean isComplete(RunRecord.Side side, EventTimeline events) {
        CauseFacts metadata = side.metadata(CauseFacts.class);
        if (metadata == null) {
            return false;
        }
        Long lost = metadata.waitsLost();
        boolean isLossKnown =
                (lost != null && lost == 0) || !events.spans(Cause.WAITS_LOST).isEmpty();
        return isLossKnown && metadata.isComplete();
    }

    /** Returns whether all that was retransmitted had arrived: a late acknowledgment, for which no packet waited. */
    private static boolean isNeedlesslyRetransmitted(RunRecord record) {
        RetransmissionFacts sender = record.sender().metadata(RetransmissionFacts.class);
        return sender != null && sender.areAllNeedless();
    }

    /** Returns the attribution of the transmit lag, or of the lag from the scheduled time. */
    public Attribution attribution(PacketDelay lag) throws LagbenchException {
        return attribution(lag, SeriesStatistics.of(values(lag)));
    }

    Attribution attribution(PacketDelay lag, SeriesStatistics statistics) throws LagbenchException {
        double limitNs = tail.limitNs(values(lag), statistics);
        return new Attribution(
                this, lag == PacketDelay.LAG_FROM_SCHEDULE, statistics.medianNs(), limitNs, statistics.minimumNs());
    }

    private LongValues values(PacketDelay series) {
        return consumer -> series.forEach(run, consumer);
    }
}
