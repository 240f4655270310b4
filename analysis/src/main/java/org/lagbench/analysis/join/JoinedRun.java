package org.lagbench.analysis.join;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Both captures of one run, joined by sequence number. Of several copies of a packet the first counts. All stamps are ns
 * since the epoch.
 *
 * <p>Takes a bit a packet while it is opened; afterwards a megabyte, and a bit a received packet only if some were
 * duplicated or unmatched. Not thread-safe. No method but {@link #open} allocates.
 */
public final class JoinedRun implements AutoCloseable {
    private static final int BIT_SHIFT = 6;

    private final SenderStamps sender;
    private final CaptureReader receiver;
    private final int sequence;
    private final int receivedNs;

    /** The field of the kernel's stamps; negative if there is none. */
    private final int kernelNs;

    /** The field of the bus cycles; negative if there is none. */
    private final int busCycle;

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
        SenderStamps sender = SenderStamps.open(directory);
        try {
            CaptureReader receiver = CaptureReader.open(directory.resolve(ReceiverCapture.FILE_NAME));
            try {
                JoinedRun run = new JoinedRun(sender, receiver);
                run.join();
                return run;
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
        try (sender) {
            receiver.close();
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
