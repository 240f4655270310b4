package org.lagbench.analysis.join;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.parallel.Lanes;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Both captures of one run, joined by sequence number. Of several copies of a packet the first counts. All stamps are ns
 * since the epoch.
 *
 * <p>Takes a megabyte for each of its {@link #lanes()}, and a bit a received packet only if some were duplicated or
 * unmatched; while it is opened also a bit a packet, if any came out of order. Not thread-safe, but that each of the lanes may be
 * read by a thread of its own. No method but {@link #open} allocates.
 */
public final class JoinedRun implements AutoCloseable {
    private static final int BIT_SHIFT = 6;

    /** How many arrivals are looked at together. */
    private static final int BLOCK = 1 << 12;

    private final SenderStamps sender;
    private final CaptureReader receiver;
    private final int sequence;
    private final int receivedNs;

    /** The field of the kernel's stamps; negative if there is none. */
    private final int kernelNs;

    /** The field of the bus cycles; negative if there is none. */
    private final int busCycle;

    private final long[] arrived = new long[BLOCK];

    /** Other readers of the same captures, for other threads. */
    private final List<JoinedRun> others = new ArrayList<>();

    /** A bit for each record of the receiver that is no first copy of a packet sent; null if all are. */
    private long @Nullable [] passedOver;

    private PacketCounts counts = PacketCounts.NONE;

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
        return open(directory, Lanes::worth);
    }

    /**
     * The same with a number of lanes of one's own.
     *
     * @param lanes how many for so many packets
     */
    public static JoinedRun open(Path directory, LongToIntFunction lanes) throws LagbenchException {
        JoinedRun run = openFiles(directory);
        try {
            int count = lanes.applyAsInt(Math.max(run.sender.records(), run.receiver.records()));
            for (int lane = 1; lane < count; lane++) {
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
        Lanes.each(lanes(), lane -> {
            lane(lane).sender.checkSequence(Lanes.first(lane, lanes(), sent), Lanes.first(lane + 1, lanes(), sent));
            return lane;
        });
        InOrder inOrder = null;
        for (InOrder lane : Lanes.each(lanes(), lane -> lane(lane)
                .inOrder(Lanes.first(lane, lanes(), received), Lanes.first(lane + 1, lanes(), received), sent))) {
            inOrder = inOrder == null ? lane : inOrder.then(lane);
        }
        if (inOrder != null && inOrder.all()) {
            counts = new PacketCounts(sent, received, sent - received, 0, 0, 0, inOrder.negativeLags());
        } else {
            joinInAnyOrder(sent, received);
        }
        for (JoinedRun other : others) {
            other.counts = counts;
            other.passedOver = passedOver;
        }
    }

    /**
     * Packets that came in the order they were sent, none twice.
     *
     * @param all whether they did
     */
    private record InOrder(boolean all, long first, long last, long negativeLags) {
        InOrder then(InOrder next) {
            return new InOrder(
                    all && next.all && last < next.first, first, next.last, negativeLags + next.negativeLags);
        }
    }

    /** Looks at some arrivals, until one is not in order. */
    private InOrder inOrder(long from, long until, long sent) throws LagbenchException {
        long[] packets = new long[BLOCK];
        long first = -1;
        long last = -1;
        long negativeLags = 0;
        for (long at = from; at < until; at += BLOCK) {
            int count = (int) Math.min(BLOCK, until - at);
            receiver.read(at, sequence, packets, count);
            first = at == from ? packets[0] : first;
            for (int i = 0; i < count; i++) {
                long packet = packets[i];
                if (packet <= last || packet >= sent) {
                    return new InOrder(false, first, packet, negativeLags);
                }
                last = packet;
            }
            receiver.read(at, receivedNs, arrived, count);
            sender.sentNs(packets, count);
            for (int i = 0; i < count; i++) {
                negativeLags += arrived[i] < packets[i] ? 1 : 0;
            }
        }
        return new InOrder(true, first, last, negativeLags);
    }

    private void joinInAnyOrder(long sent, long received) throws LagbenchException {
        long[] seen = bits(sent);
        long duplicated = 0;
        long reordered = 0;
        long unmatched = 0;
        long negativeLags = 0;
        long nextExpected = 0;
        for (long i = 0; i < received; i++) {
            long packet = receiver.value(i, sequence);
            if (packet < 0) {
                throw new LagbenchException(
                        ExitCode.FILES,
                        "The capture " + receiver.path() + " is corrupt: its record " + i + " has sequence number "
                                + packet + ".");
            }
            if (packet >= sent) {
                unmatched++;
                passOver(i);
            } else if (isSet(seen, packet)) {
                duplicated++;
                passOver(i);
            } else {
                set(seen, packet);
                if (packet < nextExpected) {
                    reordered++;
                } else {
                    nextExpected = packet + 1;
                }
                if (receiver.value(i, receivedNs) < sender.sentNs(packet)) {
                    negativeLags++;
                }
            }
        }
        long lost = sent - (received - duplicated - unmatched);
        counts = new PacketCounts(sent, received, lost, duplicated, reordered, unmatched, negativeLags);
    }

    /** How many threads can read it at the same time. */
    public int lanes() {
        return others.size() + 1;
    }

    /** What one of these threads reads it by; 0 is this itself. */
    public JoinedRun lane(int lane) {
        return lane == 0 ? this : others.get(lane - 1);
    }

    /** What became of the packets. */
    public PacketCounts counts() {
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
        return passedOver == null && counts.reordered() == 0;
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

    /** When packets that follow each other in sequence were to be sent. */
    public void readScheduledNs(long firstPacket, long[] values, int count) throws LagbenchException {
        sender.readScheduledNs(firstPacket, values, count);
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
        if (passedOver != null) {
            kept = 0;
            for (int i = 0; i < count; i++) {
                if (!isSet(passedOver, firstArrival + i)) {
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
        return passedOver == null || !isSet(passedOver, arrival);
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

    private void passOver(long arrival) {
        if (passedOver == null) {
            passedOver = bits(receiver.records());
        }
        set(passedOver, arrival);
    }

    private static long[] bits(long count) {
        return new long[Math.toIntExact((count + Long.SIZE - 1) >>> BIT_SHIFT)];
    }

    private static boolean isSet(long[] bits, long index) {
        return (bits[(int) (index >>> BIT_SHIFT)] & 1L << index) != 0;
    }

    private static void set(long[] bits, long index) {
        bits[(int) (index >>> BIT_SHIFT)] |= 1L << index;
    }

    static void closeAfter(Exception failure, AutoCloseable capture) {
        try {
            capture.close();
        } catch (Exception e) {
            failure.addSuppressed(e);
        }
    }
}
