package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
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

    /** The fields with the cycle of the bus in which a packet was sent. */
    static final List<String> BUS_FIELDS = List.of("seq", "scheduled_ns", "sent_ns", "returned_ns", "bus_cycle");

    private static final int SEQUENCE = 0;
    private static final int SCHEDULED_NS = 1;
    private static final int SENT_NS = 2;
    private static final int RETURNED_NS = 3;
    private static final int BUS_CYCLE = 4;

    /** The file has this many spare records: truncating them makes room for run.json on a full disk. */
    private static final long SPARE_RECORDS = 2048;

    private final boolean busCycle;
    private final long packets;

    private SenderCapture(CaptureFile file, boolean busCycle, long packets) {
        super(file, packets + SPARE_RECORDS);
        this.busCycle = busCycle;
        this.packets = packets;
    }

    /**
     * Creates a capture with room for all recorded packets of a run; see {@link CaptureFile#create}. One more record
     * receives the zeros of the unrecorded packets after them.
     */
    public static SenderCapture create(Path path, long packets, boolean busCycle) throws IOException {
        List<String> fields = busCycle ? BUS_FIELDS : FIELDS;
        return new SenderCapture(CaptureFile.create(path, fields, packets + SPARE_RECORDS), busCycle, packets);
    }

    /**
     * Appends the record of one packet. An unrecorded packet (negative sequence number) takes the same path without a
     * branch, but leaves zeros where the next record will be.
     */
    public void append(long sequence, long scheduledNs, long sentNs, long returnedNs) {
        long record = records;
        if (record - (sequence >>> 63) >= packets) {
            throw new IllegalStateException("more packets were sent than the capture has room for: " + packets);
        }
        MappedByteBuffer mapping = file.mapping(record);
        int at = file.offset(record);
        long recorded = ~(sequence >> 63);
        CaptureFile.putOrdered(mapping, at, SENT_NS, NOT_WRITTEN);
        CaptureFile.put(mapping, at, SEQUENCE, sequence & recorded);
        CaptureFile.put(mapping, at, SCHEDULED_NS, (scheduledNs == UNSCHEDULED ? sentNs : scheduledNs) & recorded);
        CaptureFile.put(mapping, at, RETURNED_NS, returnedNs & recorded);
        if (busCycle) {
            CaptureFile.put(mapping, at, BUS_CYCLE, UNKNOWN_CYCLE & recorded);
        }
        CaptureFile.putOrdered(mapping, at, SENT_NS, sentNs & recorded);
        records = record + 1 + (sequence >> 63);
    }

    /** Counts the records that another process has appended, after it stopped. */
    public void recoverRecordCount() {
        recoverRecordCount(SENT_NS);
    }

    /**
     * Sets the bus cycle in which a packet was sent, which is known only after its record was appended. For an
     * unrecorded packet, writes zero where the next record will be.
     */
    public void putBusCycle(long sequence, long cycle) {
        long unrecorded = sequence >> 63;
        long record = (sequence & ~unrecorded) | (records & unrecorded);
        if (record < capacity) {
            file.put(record, BUS_CYCLE, cycle & ~unrecorded);
        }
    }
}
