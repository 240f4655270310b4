package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The sender's stamps of one run: {@code seq, scheduled_ns, sent_ns, returned_ns} and, on a bus, {@code bus_cycle}, in
 * the order of sending, so that the record of sequence number n is the n-th. All stamps are CLOCK_REALTIME in ns.
 *
 * <p>A record counts as written once its {@code sent_ns}, which is put last, is not 0. One thread writes; closing by
 * another is safe only when it has ended. {@link #append} and {@link #putBusCycle} allocate nothing.
 */
public final class SenderCapture extends PacketCapture {
    /** The file's name in a run's directory. */
    public static final String FILE_NAME = "sender.npy";

    /** In {@code scheduled_ns}: nothing was scheduled, as in a flood. The sent stamp is kept in its stead. */
    public static final long UNSCHEDULED = Long.MIN_VALUE;

    /** In {@code bus_cycle}: not known. */
    public static final long UNKNOWN_CYCLE = -1;

    /** Names of the fields without a bus. */
    public static final List<String> FIELDS = List.of("seq", "scheduled_ns", "sent_ns", "returned_ns");

    private static final int SEQUENCE = 0;
    private static final int SCHEDULED_NS = 1;
    private static final int SENT_NS = 2;
    private static final int RETURNED_NS = 3;
    private static final int BUS_CYCLE = 4;

    private final boolean busCycle;

    private SenderCapture(CaptureFile file, boolean busCycle, long capacity) {
        super(file, capacity);
        this.busCycle = busCycle;
    }

    /**
     * Makes the capture with room for all the packets of a run.
     *
     * @throws IOException if the file exists, cannot be made, or the disk has no room for it; nothing is left then
     */
    public static SenderCapture create(Path path, long packets, boolean busCycle) throws IOException {
        List<String> fields = new ArrayList<>(FIELDS);
        if (busCycle) {
            fields.add("bus_cycle");
        }
        return new SenderCapture(CaptureFile.create(path, fields, packets), busCycle, packets);
    }

    /**
     * Appends the record of one packet. A warm-up packet (negative sequence number) takes the same way through the
     * code, without a branch, but its record is written over by the next.
     */
    public void append(long sequence, long scheduledNs, long sentNs, long returnedNs) {
        long record = records;
        if (record >= capacity) {
            throw new IllegalStateException("more packets were sent than the capture was made for: " + capacity);
        }
        MappedByteBuffer mapping = file.mapping(record);
        int at = file.offset(record);
        CaptureFile.putOrdered(mapping, at, SENT_NS, NOT_WRITTEN);
        CaptureFile.put(mapping, at, SEQUENCE, sequence);
        CaptureFile.put(mapping, at, SCHEDULED_NS, scheduledNs == UNSCHEDULED ? sentNs : scheduledNs);
        CaptureFile.put(mapping, at, RETURNED_NS, returnedNs);
        if (busCycle) {
            CaptureFile.put(mapping, at, BUS_CYCLE, UNKNOWN_CYCLE);
        }
        CaptureFile.putOrdered(mapping, at, SENT_NS, sentNs);
        records = record + 1 + (sequence >> 63);
    }

    /** Counts as appended what another process, which puts no more, has put into the file. */
    public void adopt() {
        adopt(SEQUENCE, SENT_NS);
    }

    /**
     * Puts the cycle that a packet went out in, known only after it was appended. That of a warm-up packet is put where
     * the next record will be.
     */
    public void putBusCycle(long sequence, long cycle) {
        long warmUp = sequence >> 63;
        long record = (sequence & ~warmUp) | (records & warmUp);
        if (record < capacity) {
            file.put(record, BUS_CYCLE, cycle);
        }
    }
}
