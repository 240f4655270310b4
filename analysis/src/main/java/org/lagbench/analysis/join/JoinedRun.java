package org.lagbench.analysis.join;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Partitions;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/**
 * Both captures of one run, joined by sequence number. Of several copies of a packet the first counts. All stamps are
 * ns since the epoch. Packets in flight when the run was stopped are left out: they are neither sent nor lost.
 *
 * <p>Takes a megabyte for each of its {@link #partitions()}, a bit per received packet if some were duplicated or
 * unmatched, and a bit per packet sent from the first {@link #arrivedPackets()} on. Opening takes another bit per
 * packet if any is out of order. Not thread-safe, except that different threads can read different partitions. No
 * single-packet or block read allocates.
 */
public final class JoinedRun implements AutoCloseable {
    /** The number of packets or arrivals that are processed together. */
    public static final int BLOCK = 1 << 12;

    private final Path directory;
    private final @Nullable RunRecord record;
    final SenderStamps sender;
    final CaptureReader receiver;

    /** Indices of the fields in the receiver's capture. */
    final int sequence;

    final int receivedNs;

    /** The index of the field of the kernel's stamps; negative if there is none. */
    private final int kernelNs;

    /** The index of the field of the bus cycles; negative if there is none. */
    private final int busCycle;

    private final long[] arrived = new long[BLOCK];
    private final long[] packets = new long[BLOCK];
    private final long[] buffer = new long[BLOCK + 1];

    /** Further readers of the same captures, for other threads. */
    final List<JoinedRun> others = new ArrayList<>();

    /** The number of arrivals of the packets that were asked for, or of all. */
    long arrivals;

    /** The receiver's records of duplicates and of packets that were never sent; null if every record counts. */
    private @Nullable BitSet skipped;

    /** The arrivals to which {@link #keep} restricts this run; null if all count. */
    private @Nullable BitSet kept;

    private RunPacketCounts counts = RunPacketCounts.NONE;
    private LagRange lags = LagRange.NONE;

    /** The packets that arrived; null until they are requested. */
    private @Nullable BitSet arrivedPackets;

    JoinedRun(Path directory, @Nullable RunRecord record, CaptureReader sender, CaptureReader receiver)
            throws LagbenchException {
        this.directory = directory;
        this.record = record;
        this.sender = new SenderStamps(sender);
        this.receiver = receiver;
        this.arrivals = receiver.records();
        this.sequence = receiver.field("seq");
        this.receivedNs = AnyOrderJoin.arrivalField(receiver);
        this.kernelNs = receiver.fields().indexOf("kernel_ns");
        this.busCycle = receiver.fields().indexOf("bus_cycle");
    }

    /**
     * Opens and joins the captures in a run's directory, and reads its record if it has one.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} and the path, if one is missing, unreadable or corrupt
     */
    public static JoinedRun open(Path directory) throws LagbenchException {
        return open(directory, Partitions::count);
    }

    /**
     * Opens and joins the captures in a run's directory.
     *
     * @param record the record in the directory; null to read it if the directory has one
     */
    public static JoinedRun open(Path directory, @Nullable RunRecord record) throws LagbenchException {
        return record == null
                ? open(directory)
                : new RunOpening(directory, record, ReceiverCapture.FILE_NAME, false, Partitions::count).open();
    }

    /** Opens and joins the captures with the packets of observed windows, which otherwise do not count. */
    public static JoinedRun openWithWindows(Path directory, RunRecord record) throws LagbenchException {
        return new RunOpening(directory, record, ReceiverCapture.FILE_NAME, true, Partitions::count).open();
    }

    /**
     * Opens and joins the sender's captures of the packets and of the replies to a round-trip run: arrivals are then
     * replies, and lags round trips.
     *
     * @throws LagbenchException as {@link #open(Path)}
     */
    public static JoinedRun openReplies(Path directory, RunRecord record) throws LagbenchException {
        return new RunOpening(directory, record, ReceiverCapture.REPLIES_FILE_NAME, true, Partitions::count).open();
    }

    /**
     * Opens and joins the captures with a given number of partitions.
     *
     * @param partitions the number of partitions for a number of packets
     */
    public static JoinedRun open(Path directory, LongToIntFunction partitions) throws LagbenchException {
        boolean isRecorded = Files.exists(directory.resolve(RunRecord.FILE_NAME));
        RunRecord record = isRecorded ? RunRecord.read(directory) : null;
        return new RunOpening(directory, record, ReceiverCapture.FILE_NAME, false, partitions).open();
    }

    void join() throws LagbenchException {
        long sent = sender.records();
        long received = arrivals;
        OrderCheck order = OrderCheck.of(this, sent, received);
        if (order.isKept()) {
            counts = new RunPacketCounts(sent, received, sent - received, 0, 0, 0, order.negativeLags());
            lags = order.lags();
        } else {
            AnyOrderJoin join = AnyOrderJoin.of(sender, receiver, arrivals);
            counts = join.counts();
            lags = join.lags();
            skipped = join.skipped();
        }
        for (JoinedRun other : others) {
            other.counts = counts;
            other.lags = lags;
            other.skipped = skipped;
        }
    }

    public Path directory() {
        return directory;
    }

    /** Returns the record in the directory; null if it has none. */
    public @Nullable RunRecord record() {
        return record;
    }

    /** Returns the number of threads that can read at the same time. */
    public int partitions() {
        return others.size() + 1;
    }

    /** Returns the reader of a partition; 0 is this object. */
    public JoinedRun partition(int partition) {
        return partition == 0 ? this : others.get(partition - 1);
    }

    /** Returns the number of parts of a partition. Series read part by part share most of the file reads. */
    public int parts() {
        return (int) (1 + Math.max(sender.records(), arrivals) / partitions() / BLOCK);
    }

    /**
     * Returns the first item of a part of a partition; for the part after the last, the first item of the next
     * partition.
     */
    public long firstItem(int partition, int part, long items) {
        return Partitions.first(partition * parts() + part, partitions() * parts(), items);
    }

    /** Returns a buffer of {@value #BLOCK} + 1 values for reading this partition; the next read overwrites it. */
    public long[] buffer() {
        return buffer;
    }

    public RunPacketCounts counts() {
        return counts;
    }

    /** Returns the range of received − sent of the first copies, those that {@link #keep} leaves out included. */
    public LagRange lags() {
        return lags;
    }

    /**
     * Returns the number of packets that the sender recorded, without those in flight when the run was stopped; their
     * sequence numbers begin at 0.
     */
    public long sent() {
        return counts.sent();
    }

    /** Returns the number of arrivals that the receiver recorded, copies included; arrivals are numbered from 0. */
    public long received() {
        return counts.received();
    }

    /** Returns the number of records of the sender's capture, those that are left out included. */
    public long senderRecords() {
        return sender.allRecords();
    }

    /** Returns the number of records of the receiver's capture, those that are left out included. */
    public long receiverRecords() {
        return receiver.records();
    }

    /** Returns whether all packets arrived in the order they were sent, without duplicates. */
    public boolean isInOrder() {
        return skipped == null && counts.reordered() == 0;
    }

    /** Returns when a packet was scheduled; when it was sent, if nothing was scheduled. */
    public long scheduledNs(long packet) throws LagbenchException {
        return sender.value(packet, sender.scheduledNs);
    }

    public long sentNs(long packet) throws LagbenchException {
        return sender.sentNs(packet);
    }

    /** Returns when the call that sent a packet returned. */
    public long returnedNs(long packet) throws LagbenchException {
        return sender.value(packet, sender.returnedNs);
    }

    /** Returns when the packet of an arrival was received. */
    public long receivedNs(long arrival) throws LagbenchException {
        return receiver.value(arrival, receivedNs);
    }

    /** Reads when consecutive packets were sent, into the first {@code count} values. */
    public void readSentNs(long firstPacket, long[] values, int count) throws LagbenchException {
        sender.read(firstPacket, sender.sentNs, values, count);
    }

    /**
     * Reads sent − scheduled of consecutive packets.
     *
     * @param count at most {@value #BLOCK}
     */
    public void readLatenessNs(long firstPacket, long[] values, int count) throws LagbenchException {
        sender.read(firstPacket, sender.sentNs, values, count);
        sender.read(firstPacket, sender.scheduledNs, packets, count);
        for (int i = 0; i < count; i++) {
            values[i] -= packets[i];
        }
    }

    /** Reads when the packets of consecutive arrivals were received. */
    public void readReceivedNs(long firstArrival, long[] values, int count) throws LagbenchException {
        receiver.read(firstArrival, receivedNs, values, count);
    }

    /**
     * Reads received − sent of consecutive arrivals, only of the first copy of each packet.
     *
     * @param scheduled whether to read received − scheduled instead
     * @param count at most {@value #BLOCK}
     * @return the number of values
     */
    public int readLagsNs(long firstArrival, boolean scheduled, long[] values, int count) throws LagbenchException {
        receiver.read(firstArrival, sequence, values, count);
        receiver.read(firstArrival, receivedNs, arrived, count);
        int first = count;
        if (skipped != null || kept != null) {
            first = 0;
            for (int i = 0; i < count; i++) {
                if (isFirstCopy(firstArrival + i)) {
                    values[first] = values[i];
                    arrived[first++] = arrived[i];
                }
            }
        }
        sender.replace(values, first, scheduled ? sender.scheduledNs : sender.sentNs);
        for (int i = 0; i < first; i++) {
            values[i] = arrived[i] - values[i];
        }
        return first;
    }

    /** Returns whether the kernel's receive stamps were recorded. */
    public boolean hasKernelStamps() {
        return kernelNs >= 0;
    }

    /** Returns when the kernel got the packet of an arrival from the driver; 0 if it was not stamped. */
    public long kernelNs(long arrival) throws LagbenchException {
        return receiver.value(arrival, kernelNs);
    }

    /** Returns whether both sides recorded bus cycles. */
    public boolean hasBusCycles() {
        return busCycle >= 0 && sender.busCycle >= 0;
    }

    /** Returns the bus cycle in which a packet was sent; negative if unknown. */
    public long sentCycle(long packet) throws LagbenchException {
        return sender.value(packet, sender.busCycle);
    }

    /** Returns the bus cycle in which the packet of an arrival was received. */
    public long receivedCycle(long arrival) throws LagbenchException {
        return receiver.value(arrival, busCycle);
    }

    /** Returns the sequence number of the packet of an arrival. */
    public long packetOf(long arrival) throws LagbenchException {
        return receiver.value(arrival, sequence);
    }

    /** Returns the names of the fields that the receiver's capture has for each arrival. */
    public List<String> arrivalFields() {
        return receiver.fields();
    }

    /**
     * Returns a field of an arrival.
     *
     * @param field its index in {@link #arrivalFields()}
     */
    public long arrivalValue(long arrival, int field) throws LagbenchException {
        return receiver.value(arrival, field);
    }

    /**
     * Returns whether an arrival is the first copy of a packet that the sender recorded, and of those that
     * {@link #keep} kept.
     */
    public boolean isFirstCopy(long arrival) {
        return isMatched(arrival) && (kept == null || kept.get((int) arrival));
    }

    /** Returns whether an arrival is the first copy of a packet that the sender recorded. */
    boolean isMatched(long arrival) {
        return skipped == null || !skipped.get((int) arrival);
    }

    /** Restricts this run to some arrivals: others do not count as first copies. The counts stay. */
    public void keep(BitSet chosen) {
        kept = chosen;
        others.forEach(other -> other.kept = chosen);
    }

    /** Passes the first copy of each packet that arrived to the consumer, in the order of arrival. */
    public void forEachFirstCopy(ArrivalConsumer consumer) throws LagbenchException {
        forEachFirstCopy(0, received(), consumer);
    }

    /** Passes the first copy of each packet among consecutive arrivals to the consumer, in the order of arrival. */
    public void forEachFirstCopy(long from, long until, ArrivalConsumer consumer) throws LagbenchException {
        for (long arrival = from; arrival < until; arrival++) {
            if (isFirstCopy(arrival)) {
                consumer.accept(arrival, packetOf(arrival));
            }
        }
    }

    /** Returns whether {@link #keep} restricts this run to some packets. */
    public boolean isRestricted() {
        return kept != null;
    }

    /** Returns the packets of which a copy arrived: a bit per packet sent. Callers must not change the set. */
    public BitSet arrivedPackets() throws LagbenchException {
        if (arrivedPackets == null) {
            arrivedPackets = ArrivedPackets.of(this);
        }
        return arrivedPackets;
    }

    @Override
    public void close() throws LagbenchException {
        closeAll(others);
        try (sender) {
            receiver.close();
        }
    }

    /** Closes all runs, even if closing one fails. */
    public static void closeAll(List<JoinedRun> runs) throws LagbenchException {
        if (!runs.isEmpty()) {
            JoinedRun last = runs.get(runs.size() - 1);
            try (last) {
                closeAll(runs.subList(0, runs.size() - 1));
            }
        }
    }
}
