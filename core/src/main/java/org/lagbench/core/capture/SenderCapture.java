package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The sender's stamps of one run, in the order of sending: {@code seq, scheduled_ns, sent_ns, returned_ns} and, on a
 * bus, {@code bus_cycle}. Sequence number n is the n-th record. Stamps are CLOCK_REALTIME in ns.
 *
 * <p>A record is written once its {@code sent_ns}, which is written last, is not 0. One thread writes; another may
 * close the capture only after that thread has ended. {@link #append} and {@link #putBusCycle} allocate nothing.
 */
public final class SenderCapture extends PacketCapture {
    public static final String FILE_NAME = "sender.npy";

    /** The schedule of a packet of a flood; {@code scheduled_ns} is then the sent stamp. */
    public static final long UNSCHEDULED = Long.MIN_VALUE;

    /** An unknown {@code bus_cycle}. */
    public static final long UNKNOWN_CYCLE = -1;

    /** The fields of every capture. */
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

    /** Creates a capture with room for all packets of a run; see {@link CaptureFile#create}. */
    public static SenderCapture create(Path path, long packets, boolean busCycle) throws IOException {
        List<String> fields = new ArrayList<>(FIELDS);
        if (busCycle) {
            fields.add("bus_cycle");
        }
        return new SenderCapture(CaptureFile.create(path, fields, packets), busCycle, packets);
    }

    /**
     * Appends the record of one packet. A warm-up packet (negative sequence number) takes the same path without a
     * branch, but the next packet overwrites its record.
     */
    public void append(long sequence, long scheduledNs, long sentNs, long returnedNs) {
        long record = records;
        if (record >= capacity) {
            throw new IllegalStateException("more packets were sent than the capture has room for: " + capacity);
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

    /** Counts the records that another process has appended, after it stopped. */
    public void recoverRecordCount() {
        recoverRecordCount(SEQUENCE, SENT_NS);
    }

    /**
     * Puts the cycle in which a packet was sent, known only after it was appended. That of a warm-up packet goes to the
     * place of the next record.
     */
    public void putBusCycle(long sequence, long cycle) {
        long warmUp = sequence >> 63;
        long record = (sequence & ~warmUp) | (records & warmUp);
        if (record < capacity) {
            file.put(record, BUS_CYCLE, cycle);
        }
    }
}
