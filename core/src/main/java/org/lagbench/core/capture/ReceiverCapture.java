package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The receiver's stamps of one run, in the order of arrival, copies included: {@code seq, received_ns} and, on a bus,
 * {@code bus_cycle}, or with the kernel's receive stamps {@code kernel_ns} (0 if there is none), or in a round-trip run
 * {@code replied_ns}, taken just before the call that sent the answer. Stamps are CLOCK_REALTIME in ns.
 *
 * <p>The sender's stamps of the answers are such a capture as well: {@code seq, answered_ns, replied_ns}; the answer
 * has carried {@code replied_ns}, which is 0 if packets have no header.
 *
 * <p>A record is written once its second field, which is written last, is not 0. One thread writes; another may close
 * the capture only after that thread has ended. {@link #append} allocates nothing.
 */
public final class ReceiverCapture extends PacketCapture {
    public static final String FILE_NAME = "receiver.npy";

    /** The fields of every capture. */
    public static final List<String> FIELDS = List.of("seq", "received_ns");

    /** The fields of a capture with the kernel's receive stamps. */
    public static final List<String> KERNEL_FIELDS = List.of("seq", "received_ns", "kernel_ns");

    private static final List<String> BUS_FIELDS = List.of("seq", "received_ns", "bus_cycle");

    /** The file of a sender with the answers of a round-trip run. */
    public static final String ANSWERS_FILE_NAME = "sender-answers.npy";

    /** The fields of the sender's capture of answers. */
    public static final List<String> ANSWER_FIELDS = List.of("seq", "answered_ns", "replied_ns");

    /** The fields of the receiver's capture of a round-trip run. */
    public static final List<String> ANSWERED_FIELDS = List.of("seq", "received_ns", "replied_ns");

    /** The capture has records for all packets, an eighth more for copies, and this number more. */
    private static final int EXTRA_RECORDS = 1024;

    private static final int SEQUENCE = 0;
    private static final int RECEIVED_NS = 1;
    private static final int OF_MEDIUM = 2;

    private final boolean ofMedium;

    private ReceiverCapture(CaptureFile file, boolean ofMedium, long capacity) {
        super(file, capacity);
        this.ofMedium = ofMedium;
    }

    /** Returns the capacity for a number of packets, of which some may arrive several times. */
    public static long capacityFor(long packets) {
        return packets + packets / 8 + EXTRA_RECORDS;
    }

    /** Returns the size of the largest capture with that many records, in bytes. */
    public static long largestBytes(long records) {
        return CaptureFormat.MAXIMUM_HEADER_BYTES + records * (FIELDS.size() + 1) * Long.BYTES;
    }

    /** Creates a capture of packets that are not answered, without the kernel's stamps. */
    public static ReceiverCapture create(Path path, long capacity, boolean busCycle) throws IOException {
        return create(path, capacity, busCycle ? BUS_FIELDS : FIELDS);
    }

    /**
     * Creates a capture with room for {@code capacity} records, copies included; see {@link CaptureFile#create}.
     *
     * @param fields one of this class's lists
     */
    public static ReceiverCapture create(Path path, long capacity, List<String> fields) throws IOException {
        return new ReceiverCapture(CaptureFile.create(path, fields, capacity), fields.size() > FIELDS.size(), capacity);
    }

    /**
     * Appends the record of one packet. An unrecorded packet (negative sequence number) takes the same path without a
     * branch, but leaves zeros where the next record will be.
     *
     * @param mediumStamp the third field: the bus cycle, the kernel's stamp, or when the packet was answered; ignored
     *     if the capture has none of them
     * @return whether it fitted
     */
    public boolean append(long sequence, long receivedNs, long mediumStamp) {
        return append(sequence, RECEIVED_NS, receivedNs, ofMedium ? OF_MEDIUM : -1, mediumStamp);
    }

    /** Counts the records that another process has appended, after it stopped. */
    public void recoverRecordCount() {
        recoverRecordCount(SEQUENCE, RECEIVED_NS);
    }
}
