package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.lagbench.core.file.AtomicFile;

/**
 * The receiver's stamps of one run, in the order of arrival, copies included: {@code seq, received_ns} and, on a bus,
 * {@code bus_cycle}, or with the kernel's receive stamps {@code kernel_ns} (0 if there is none), or in a round-trip run
 * {@code replied_ns}, taken just before the call that sent the reply. Stamps are CLOCK_REALTIME in ns.
 *
 * <p>The sender's stamps of the replies are such a capture as well: {@code seq, answered_ns, replied_ns}; the reply has
 * carried {@code replied_ns}, which is 0 if packets have no header.
 *
 * <p>So are the bytes that a receiver of transfers had read after each receive call: {@code transfer, bytes,
 * received_ns}. The transfers are numbered from 0, and the bytes are those of the transfer so far.
 *
 * <p>A record is written once its stamp, which is written last, is not 0. One thread writes; another may close the
 * capture only after that thread has ended. {@link #append} allocates nothing.
 */
public final class ReceiverCapture extends PacketCapture {
    public static final String FILE_NAME = "receiver.npy";

    /** The fields of every capture. */
    public static final List<String> FIELDS = List.of("seq", "received_ns");

    /** The fields of a capture with the kernel's receive stamps. */
    public static final List<String> KERNEL_FIELDS = List.of("seq", "received_ns", "kernel_ns");

    static final List<String> BUS_FIELDS = List.of("seq", "received_ns", "bus_cycle");

    /** The file of a sender with the replies of a round-trip run. */
    public static final String REPLIES_FILE_NAME = "sender-replies.npy";

    /** The fields of the sender's capture of replies. */
    public static final List<String> REPLY_FIELDS = List.of("seq", "answered_ns", "replied_ns");

    /** The fields of the receiver's capture of a round-trip run. */
    public static final List<String> ANSWERED_FIELDS = List.of("seq", "received_ns", "replied_ns");

    /** The file with the bytes of each receive call. */
    public static final String BYTES_FILE_NAME = "receiver-bytes.npy";

    /** The fields of the capture of received bytes. */
    public static final List<String> BYTES_FIELDS = List.of("transfer", "bytes", "received_ns");

    /** Few receive calls return less, except for the last bytes of a piece. */
    private static final int USUAL_CALL_BYTES = 512;

    /** The capture has records for all packets, an eighth more for copies, and this number more. */
    private static final int EXTRA_RECORDS = 1024;

    private static final int REPLACED_AT_ONCE = 1 << 12;

    /** The sum of the indices of the fields after the sequence number, if there are two. */
    private static final int OTHERS = 1 + 2;

    private final int stamp;
    private final int other;
    private final boolean hasKernelStamps;

    /** The mask of a negative third value: 0 for a kernel's stamp, so that a missing one is recorded as 0. */
    private final long ofNegative;

    private ReceiverCapture(CaptureFile file, List<String> fields, long capacity) {
        super(file, capacity);
        this.stamp = CaptureReader.stamp(fields);
        this.other = fields.size() > FIELDS.size() ? OTHERS - stamp : 0;
        this.hasKernelStamps = fields.equals(KERNEL_FIELDS);
        this.ofNegative = hasKernelStamps ? 0 : -1;
    }

    /** Returns the capacity for a number of packets, some of which may arrive several times. */
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
        return new ReceiverCapture(CaptureFile.create(path, fields, capacity), fields, capacity);
    }

    /** Creates a capture of received bytes with room for the receive calls that are usually needed. */
    public static ReceiverCapture ofBytes(Path path, long pieces, int pieceBytes) throws IOException {
        return create(path, pieces + pieces * pieceBytes / USUAL_CALL_BYTES + EXTRA_RECORDS, BYTES_FIELDS);
    }

    /**
     * Appends the record of one packet, or of a receive call. An unrecorded packet (negative sequence number) takes the
     * same path without a branch, but leaves zeros where the next record will be.
     *
     * @param sequence the sequence number, or that of the transfer
     * @param thirdValue the bus cycle, the kernel's stamp, when the packet was answered, or the received bytes; ignored
     *     if the capture has none of them. A negative stamp of the kernel is recorded as 0
     * @return whether it fitted
     */
    public boolean append(long sequence, long receivedNs, long thirdValue) {
        return append(sequence, stamp, receivedNs, other, thirdValue & (~(thirdValue >> 63) | ofNegative));
    }

    /** Returns whether the records have the kernel's receive stamps. */
    public boolean hasKernelStamps() {
        return hasKernelStamps;
    }

    /** Counts the records that another process has appended, after it stopped. */
    public void recoverRecordCount() {
        recoverRecordCount(stamp);
    }

    /** Returns the kernel's stamp of a record. */
    @FunctionalInterface
    public interface StampFunction {
        /** Returns the kernel's stamp of a packet, 0 if there is none. */
        long kernelNs(long sequence, long receivedNs);
    }

    /**
     * Replaces the kernel's stamps in a closed capture that has them: all, or none if it fails.
     *
     * @return the number of records that now have no stamp
     */
    public static long replaceKernelStamps(Path path, StampFunction stamps) throws IOException {
        try (AtomicFile copy = AtomicFile.of(path)) {
            Files.copy(path, copy.path());
            long missing = replaceIn(copy.path(), stamps);
            copy.publish();
            return missing;
        }
    }

    private static long replaceIn(Path path, StampFunction stamps) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.allocate(CaptureFormat.MAXIMUM_HEADER_BYTES);
            CaptureFormat.readFully(channel, buffer, 0);
            CaptureFormat format = CaptureFormat.parse(buffer.flip());
            int sequence = format.fields().indexOf("seq");
            int received = format.fields().indexOf("received_ns");
            int kernel = format.fields().indexOf("kernel_ns");
            long missing = 0;
            ByteBuffer records =
                    ByteBuffer.allocate(REPLACED_AT_ONCE * format.recordBytes()).order(ByteOrder.LITTLE_ENDIAN);
            for (long first = 0; first < format.records(); first += REPLACED_AT_ONCE) {
                long count = Math.min(REPLACED_AT_ONCE, format.records() - first);
                long at = format.headerBytes() + first * format.recordBytes();
                records.clear().limit((int) count * format.recordBytes());
                CaptureFormat.readFully(channel, records, at);
                records.flip();
                for (int record = 0; record < records.limit(); record += format.recordBytes()) {
                    long stampNs = stamps.kernelNs(
                            records.getLong(record + sequence * Long.BYTES),
                            records.getLong(record + received * Long.BYTES));
                    records.putLong(record + kernel * Long.BYTES, stampNs);
                    missing += stampNs == 0 ? 1 : 0;
                }
                CaptureFormat.writeFully(channel, records, at);
            }
            return missing;
        }
    }
}
