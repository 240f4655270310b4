package org.lagbench.analysis.join;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.parallel.Partitions;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Both captures of one run, joined by sequence number. Of several copies of a packet the first counts. All stamps are
 * ns since the epoch.
 *
 * <p>Takes a megabyte for each of its {@link #partitions()}, and a bit a received packet only if some were duplicated
 * or unmatched; while it is opened also a bit a packet, if any came out of order. Not thread-safe, but that each of the
 * partitions may be read by a thread of its own. No method but {@link #open} allocates.
 */
public final class JoinedRun implements AutoCloseable {
    /** How many packets or arrivals are looked at together. */
    public static final int BLOCK = 1 << 12;

    private final SenderStamps sender;
    private final CaptureReader receiver;
    private final int sequence;
    private final int receivedNs;

    /** The field of the kernel's stamps; negative if there is none. */
    private final int kernelNs;

    /** The field of the bus cycles; negative if there is none. */
    private final int busCycle;

    private final long[] arrived = new long[BLOCK];
    private final long[] packets = new long[BLOCK];
    private final long[] room = new long[BLOCK + 1];

    /** Other readers of the same captures, for other threads. */
    private final List<JoinedRun> others = new ArrayList<>();

    /** A bit for each record of the receiver that is no first copy of a packet sent; null if all are. */
    private @Nullable PacketBits skipped;

    private RunPacketCounts counts = RunPacketCounts.NONE;

    private JoinedRun(SenderStamps sender, CaptureReader receiver) throws LagbenchException {
        this.sender = sender;
        this.receiver = receiver;
        this.sequence = receiver.field("seq");
        this.receivedNs = receiver.field("received_ns");
        this.kernelNs = receiver.fields().indexOf("kernel_ns");
        this.busCycle = receiver.fields().indexOf("bus_cycle");
    }

    /**
     * Opens and joins the captures in a run's directory.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} and the path, if one is missing, unreadable or corrupt
     */
    public static JoinedRun open(Path directory) throws LagbenchException {
        return open(directory, Partitions::count);
    }

    /**
     * The same with a number of partitions of one's own.
     *
     * @param partitions how many for so many packets
     */
    public static JoinedRun open(Path directory, LongToIntFunction partitions) throws LagbenchException {
        JoinedRun run = openFiles(directory);
        try {
            int count = partitions.applyAsInt(Math.max(run.sender.records(), run.receiver.records()));
            for (int partition = 1; partition < count; partition++) {
                run.others.add(openFiles(directory));
            }
            run.join();
            return run;
        } catch (LagbenchException | RuntimeException e) {
            closeAfter(e, run);
            throw e;
        }
    }

    private static JoinedRun openFiles(Path directory) throws LagbenchException {
        SenderStamps sender = SenderStamps.open(directory);
        try {
            CaptureReader receiver = CaptureReader.open(directory.resolve(ReceiverCapture.FILE_NAME));
            try {
                return new JoinedRun(sender, receiver);
            } catch (LagbenchException | RuntimeException e) {
                closeAfter(e, receiver);
                throw e;
            }
        } catch (LagbenchException | RuntimeException e) {
            closeAfter(e, sender);
            throw e;
        }
    }

    private void join() throws LagbenchException {
        long sent = sender.records();
        long received = receiver.records();
        Order order = new Order();
        for (Order partition : Partitions.each(partitions(), this::look)) {
            order.add(partition);
        }
        if (order.kept) {
            counts = new RunPacketCounts(sent, received, sent - received, 0, 0, 0, order.negativeLags);
        } else {
            AnyOrderJoin join = AnyOrderJoin.of(sender, receiver);
            counts = join.counts();
            skipped = join.skipped();
        }
        for (JoinedRun other : others) {
            other.counts = counts;
            other.skipped = skipped;
        }
    }

    /** Looks at the packets and the arrivals of a partition: at arrivals until one is out of order. */
    private Order look(int partition) throws LagbenchException {
        JoinedRun reader = partition(partition);
        Order order = new Order();
        for (int part = 0; part < parts(); part++) {
            reader.sender.checkSequence(
                    first(partition, part, sender.records()), first(partition, part + 1, sender.records()));
            reader.look(
                    first(partition, part, receiver.records()), first(partition, part + 1, receiver.records()), order);
        }
        return order;
    }

    private void look(long from, long until, Order order) throws LagbenchException {
        for (long at = from; at < until && order.kept; at += BLOCK) {
            int count = (int) Math.min(BLOCK, until - at);
            receiver.read(at, sequence, packets, count);
            order.add(packets, count, sender.records());
            if (order.kept) {
                receiver.read(at, receivedNs, arrived, count);
                sender.sentNs(packets, count);
                for (int i = 0; i < count; i++) {
                    order.negativeLags += arrived[i] < packets[i] ? 1 : 0;
                }
            }
        }
    }

    /** What arrivals that follow each other are seen to be. */
    private static final class Order {
        /** Whether they came in the order they were sent, none twice. */
        private boolean kept = true;

        /** The first packet; negative if there was none. */
        private long first = -1;

        private long last = -1;
        private long negativeLags;

        void add(long[] packets, int count, long sent) {
            first = first < 0 ? packets[0] : first;
            for (int i = 0; i < count; i++) {
                kept &= packets[i] > last && packets[i] < sent;
                last = packets[i];
            }
        }

        void add(Order next) {
            kept &= next.kept && (next.first < 0 || last < next.first);
            last = Math.max(last, next.last);
            negativeLags += next.negativeLags;
        }
    }

    /** How many threads can read it at the same time. */
    public int partitions() {
        return others.size() + 1;
    }

    /** What one of these threads reads it by; 0 is this itself. */
    public JoinedRun partition(int partition) {
        return partition == 0 ? this : others.get(partition - 1);
    }

    /**
     * In how many parts a partition is gone through. What several who read the same part need of the captures is mostly
     * read once.
     */
    public int parts() {
        return (int) (1 + Math.max(sender.records(), receiver.records()) / partitions() / BLOCK);
    }

    /** The first item of a part of a partition; of the part beyond the last, the first of the next partition. */
    public long first(int partition, int part, long items) {
        return Partitions.first(partition * parts() + part, partitions() * parts(), items);
    }

    /**
     * Room for the values of {@value #BLOCK} packets or arrivals, or for one stamp more, to who goes through this
     * partition. Filled anew by the next who does.
     */
    public long[] room() {
        return room;
    }

    /** What became of the packets. */
    public RunPacketCounts counts() {
        return counts;
    }

    /** How many packets the sender recorded; their sequence numbers are the numbers from 0. */
    public long sent() {
        return counts.sent();
    }

    /** How many packets the receiver recorded, copies included, in the order of arrival. */
    public long received() {
        return counts.received();
    }

    /** Whether all packets came in the order they were sent, none twice. */
    public boolean isInOrder() {
        return skipped == null && counts.reordered() == 0;
    }

    /** When a packet was to be sent; when it was sent, if nothing was scheduled. */
    public long scheduledNs(long packet) throws LagbenchException {
        return sender.scheduledNs(packet);
    }

    /** When a packet was sent. */
    public long sentNs(long packet) throws LagbenchException {
        return sender.sentNs(packet);
    }

    /** When the call that sent a packet returned. */
    public long returnedNs(long packet) throws LagbenchException {
        return sender.returnedNs(packet);
    }

    /** When the packet of an arrival was received. */
    public long receivedNs(long arrival) throws LagbenchException {
        return receiver.value(arrival, receivedNs);
    }

    /** When packets that follow each other in sequence were sent, into the first {@code count} of the values. */
    public void readSentNs(long firstPacket, long[] values, int count) throws LagbenchException {
        sender.readSentNs(firstPacket, values, count);
    }

    /**
     * Sent − scheduled of packets that follow each other in sequence.
     *
     * @param count at most {@value #BLOCK}
     */
    public void readLatenessNs(long firstPacket, long[] values, int count) throws LagbenchException {
        sender.readSentNs(firstPacket, values, count);
        sender.readScheduledNs(firstPacket, packets, count);
        for (int i = 0; i < count; i++) {
            values[i] -= packets[i];
        }
    }

    /** When the packets of arrivals that follow each other were received. */
    public void readReceivedNs(long firstArrival, long[] values, int count) throws LagbenchException {
        receiver.read(firstArrival, receivedNs, values, count);
    }

    /**
     * Received − sent of arrivals that follow each other, but for those that are not the first copy of a packet.
     *
     * @param scheduled received − scheduled instead
     * @param count at most {@value #BLOCK}
     * @return how many values there are
     */
    public int readLagsNs(long firstArrival, boolean scheduled, long[] values, int count) throws LagbenchException {
        receiver.read(firstArrival, sequence, values, count);
        receiver.read(firstArrival, receivedNs, arrived, count);
        int kept = count;
        if (skipped != null) {
            kept = 0;
            for (int i = 0; i < count; i++) {
                if (!skipped.isSet(firstArrival + i)) {
                    values[kept] = values[i];
                    arrived[kept++] = arrived[i];
                }
            }
        }
        if (scheduled) {
            sender.scheduledNs(values, kept);
        } else {
            sender.sentNs(values, kept);
        }
        for (int i = 0; i < kept; i++) {
            values[i] = arrived[i] - values[i];
        }
        return kept;
    }

    /** Whether the kernel's receive stamps were recorded. */
    public boolean hasKernelStamps() {
        return kernelNs >= 0;
    }

    /** When the kernel got the packet of an arrival from the driver; 0 if it did not stamp it. */
    public long kernelNs(long arrival) throws LagbenchException {
        return receiver.value(arrival, kernelNs);
    }

    /** Whether bus cycles were recorded, on both sides. */
    public boolean hasBusCycles() {
        return busCycle >= 0 && sender.hasBusCycles();
    }

    /** The bus cycle that a packet was sent in; negative if that is not known. */
    public long sentCycle(long packet) throws LagbenchException {
        return sender.busCycle(packet);
    }

    /** The bus cycle that the packet of an arrival came in. */
    public long receivedCycle(long arrival) throws LagbenchException {
        return receiver.value(arrival, busCycle);
    }

    /** The sequence number of the packet of an arrival. */
    public long packetOf(long arrival) throws LagbenchException {
        return receiver.value(arrival, sequence);
    }

    /** Names of what the receiver's capture holds of each arrival, in their order. */
    public List<String> arrivalFields() {
        return receiver.fields();
    }

    /**
     * What the receiver's capture holds of an arrival.
     *
     * @param field its index in {@link #arrivalFields()}
     */
    public long arrivalValue(long arrival, int field) throws LagbenchException {
        return receiver.value(arrival, field);
    }

    /** Whether an arrival is the first copy of a packet that the sender recorded. */
    public boolean isFirstCopy(long arrival) {
        return skipped == null || !skipped.isSet(arrival);
    }

    @Override
    public void close() throws LagbenchException {
        LagbenchException failure = null;
        for (JoinedRun other : others) {
            try {
                other.close();
            } catch (LagbenchException e) {
                failure = e;
            }
        }
        try (sender) {
            receiver.close();
        }
        if (failure != null) {
            throw failure;
        }
    }

    static void closeAfter(Exception failure, AutoCloseable capture) {
        try {
            capture.close();
        } catch (Exception e) {
            failure.addSuppressed(e);
        }
    }
}
