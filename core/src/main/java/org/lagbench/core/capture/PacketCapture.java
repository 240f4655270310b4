package org.lagbench.core.capture;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The common part of both sides' captures: a file with a fixed capacity, to which a record a packet is appended. */
abstract class PacketCapture implements AutoCloseable {
    /** The stamp of a record that is not yet written, or being overwritten. */
    static final long NOT_WRITTEN = 0;

    private static final VarHandle RECORDS = recordsHandle();

    final CaptureFile file;
    final long capacity;
    long records;
    private final PagePretoucher pretoucher;
    private boolean closed;

    PacketCapture(CaptureFile file, long capacity) {
        this.file = file;
        this.capacity = capacity;
        this.pretoucher = PagePretoucher.of(file, () -> (long) RECORDS.getOpaque(this));
    }

    private static VarHandle recordsHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(PacketCapture.class, "records", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Counts the records that another process has appended, after it stopped. They are in order, so bisection finds
     * their end.
     *
     * @param sequence the field of the sequence number, which is negative in the record of a warm-up packet
     * @param stamp the field that is 0 until a record is written
     */
    final void recoverRecordCount(int sequence, int stamp) {
        long unknown = capacity;
        while (records < unknown) {
            long probe = records + (unknown - records) / 2;
            if (file.get(probe, stamp) != NOT_WRITTEN && file.get(probe, sequence) >= 0) {
                records = probe + 1;
            } else {
                unknown = probe;
            }
        }
    }

    public final long records() {
        return records;
    }

    /** Truncates the file to the appended records and closes it. */
    @Override
    public final void close() throws IOException {
        if (!closed) {
            closed = true;
            pretoucher.close();
            file.close(records);
        }
    }
}
