package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The receiver's stamps of one run: {@code seq, received_ns} and, on a bus, {@code bus_cycle}, in the order of arrival,
 * copies included. Stamps are CLOCK_REALTIME in ns.
 *
 * <p>A record counts as written once its {@code received_ns}, which is put last, is not 0. One thread writes; closing by
 * another is safe only when it has ended. {@link #append} and {@link #warmUp} allocate nothing.
 */
public final class ReceiverCapture implements AutoCloseable {
    /** The file's name in a run's directory. */
    public static final String FILE_NAME = "receiver.npy";

    /** Names of the fields without a bus. */
    public static final List<String> FIELDS = List.of("seq", "received_ns");

    private static final int SEQUENCE = 0;
    private static final int RECEIVED_NS = 1;
    private static final int BUS_CYCLE = 2;

    /** The stamp of a record not yet written, or being written over. */
    private static final long NOT_WRITTEN = 0;

    private final CaptureFile file;
    private final boolean busCycle;
    private final long capacity;
    private long records;
    private boolean closed;

    private ReceiverCapture(CaptureFile file, boolean busCycle, long capacity) {
        this.file = file;
        this.busCycle = busCycle;
        this.capacity = capacity;
    }

    /**
     * Makes the capture with room for so many records; a run with copies on the way wants more than it has packets.
     *
     * @throws IOException if the file exists, cannot be made, or the disk has no room for it; nothing is left then
     */
    public static ReceiverCapture create(Path path, long capacity, boolean busCycle) throws IOException {
        List<String> fields = new ArrayList<>(FIELDS);
        if (busCycle) {
            fields.add("bus_cycle");
        }
        return new ReceiverCapture(CaptureFile.create(path, fields, capacity), busCycle, capacity);
    }

    /**
     * Appends the record of one packet.
     *
     * @return whether there was room for it
     */
    public boolean append(long sequence, long receivedNs, long cycle) {
        if (records >= capacity) {
            return false;
        }
        put(sequence, receivedNs, cycle);
        records++;
        return true;
    }

    /** Takes a warm-up packet: the same way through the code as {@link #append}, written over by the next record. */
    public void warmUp(long sequence, long receivedNs, long cycle) {
        if (records < capacity) {
            put(sequence, receivedNs, cycle);
        }
    }

    private void put(long sequence, long receivedNs, long cycle) {
        file.putOrdered(records, RECEIVED_NS, NOT_WRITTEN);
        file.put(records, SEQUENCE, sequence);
        if (busCycle) {
            file.put(records, BUS_CYCLE, cycle);
        }
        file.putOrdered(records, RECEIVED_NS, receivedNs);
    }

    /** How many records were appended. */
    public long records() {
        return records;
    }

    /** Cuts the file to the records appended and closes it. */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            file.close(records);
        }
    }
}
