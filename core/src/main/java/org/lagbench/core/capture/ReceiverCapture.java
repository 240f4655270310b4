package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The receiver's stamps of one run, in the order of arrival, copies included: {@code seq, received_ns} and, on a bus,
 * {@code bus_cycle}, or with the kernel's receive stamps {@code kernel_ns} (0 if there is none). Stamps are
 * CLOCK_REALTIME in ns.
 *
 * <p>A record is written once its {@code received_ns}, which is written last, is not 0. One thread writes; another may
 * close the capture only after that thread has ended. {@link #append} allocates nothing.
 */
public final class ReceiverCapture extends PacketCapture {
    public static final String FILE_NAME = "receiver.npy";

    /** The fields of every capture. */
    public static final List<String> FIELDS = List.of("seq", "received_ns");

    private static final int SEQUENCE = 0;
    private static final int RECEIVED_NS = 1;
    private static final int OF_MEDIUM = 2;

    private final boolean ofMedium;

    private ReceiverCapture(CaptureFile file, boolean ofMedium, long capacity) {
        super(file, capacity);
        this.ofMedium = ofMedium;
    }

    /** Creates a capture with room for so many records, duplicates included; see {@link CaptureFile#create}. */
    public static ReceiverCapture create(Path path, long capacity, boolean busCycle) throws IOException {
        return create(path, capacity, busCycle ? List.of("bus_cycle") : List.of());
    }

    /** Creates a capture like {@link #create(Path, long, boolean)} with the kernel's receive stamps. */
    public static ReceiverCapture createWithKernelStamps(Path path, long capacity) throws IOException {
        return create(path, capacity, List.of("kernel_ns"));
    }

    private static ReceiverCapture create(Path path, long capacity, List<String> ofMedium) throws IOException {
        List<String> fields = new ArrayList<>(FIELDS);
        fields.addAll(ofMedium);
        return new ReceiverCapture(CaptureFile.create(path, fields, capacity), !ofMedium.isEmpty(), capacity);
    }

    /**
     * Appends the record of one packet. A warm-up packet (negative sequence number) takes the same path without a
     * branch, but the next packet overwrites its record.
     *
     * @param mediumStamp the bus cycle or the kernel's stamp; ignored if the capture has neither
     * @return whether it fitted
     */
    public boolean append(long sequence, long receivedNs, long mediumStamp) {
        long record = records;
        if (record >= capacity) {
            return false;
        }
        MappedByteBuffer mapping = file.mapping(record);
        int at = file.offset(record);
        CaptureFile.putOrdered(mapping, at, RECEIVED_NS, NOT_WRITTEN);
        CaptureFile.put(mapping, at, SEQUENCE, sequence);
        if (ofMedium) {
            CaptureFile.put(mapping, at, OF_MEDIUM, mediumStamp);
        }
        CaptureFile.putOrdered(mapping, at, RECEIVED_NS, receivedNs);
        records = record + 1 + (sequence >> 63);
        return true;
    }

    /** Counts the records that another process has appended, after it stopped. */
    public void recoverRecordCount() {
        recoverRecordCount(SEQUENCE, RECEIVED_NS);
    }
}
