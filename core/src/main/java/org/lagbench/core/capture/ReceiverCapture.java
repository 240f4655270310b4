package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The receiver's stamps of one run: {@code seq, received_ns} and, on a bus, {@code bus_cycle}, or where the kernel's
 * receive stamps are recorded {@code kernel_ns} (0 where it gave none), in the order of arrival, copies included.
 * Stamps are CLOCK_REALTIME in ns.
 *
 * <p>A record counts as written once its {@code received_ns}, which is put last, is not 0. One thread writes; closing
 * by another is safe only when it has ended. {@link #append} allocates nothing.
 */
public final class ReceiverCapture extends PacketCapture {
    /** The file's name in a run's directory. */
    public static final String FILE_NAME = "receiver.npy";

    /** Names of the fields without those of the medium. */
    public static final List<String> FIELDS = List.of("seq", "received_ns");

    private static final int SEQUENCE = 0;
    private static final int RECEIVED_NS = 1;
    private static final int OF_MEDIUM = 2;

    private final boolean ofMedium;

    private ReceiverCapture(CaptureFile file, boolean ofMedium, long capacity) {
        super(file, capacity);
        this.ofMedium = ofMedium;
    }

    /**
     * Makes the capture with room for so many records; a run with copies on the way wants more than it has packets.
     *
     * @throws IOException if the file exists, cannot be made, or the disk has no room for it; nothing is left then
     */
    public static ReceiverCapture create(Path path, long capacity, boolean busCycle) throws IOException {
        return create(path, capacity, busCycle ? List.of("bus_cycle") : List.of());
    }

    /** Makes the capture as {@link #create(Path, long, boolean)} does, with the kernel's receive stamps. */
    public static ReceiverCapture createWithKernelStamps(Path path, long capacity) throws IOException {
        return create(path, capacity, List.of("kernel_ns"));
    }

    private static ReceiverCapture create(Path path, long capacity, List<String> ofMedium) throws IOException {
        List<String> fields = new ArrayList<>(FIELDS);
        fields.addAll(ofMedium);
        return new ReceiverCapture(CaptureFile.create(path, fields, capacity), !ofMedium.isEmpty(), capacity);
    }

    /**
     * Appends the record of one packet. A warm-up packet (negative sequence number) takes the same way through the
     * code, without a branch, but its record is written over by the next.
     *
     * @param mediumStamp the bus cycle or the kernel's stamp; ignored where the capture has neither
     * @return whether there was room for it
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

    /** Counts as appended what another process, which puts no more, has put into the file. */
    public void adopt() {
        adopt(SEQUENCE, RECEIVED_NS);
    }
}
