package org.lagbench.core.capture;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What the captures of both sides have in common: records appended, one a packet, to a file with room for so many. */
abstract class PacketCapture implements AutoCloseable {
    /** The stamp of a record not yet written, or being written over. */
    static final long NOT_WRITTEN = 0;

    private static final VarHandle RECORDS = recordsHandle();

    final CaptureFile file;
    final long capacity;
    long records;
    private final PagePretoucher pagesAhead;
    private boolean closed;

    PacketCapture(CaptureFile file, long capacity) {
        this.file = file;
        this.capacity = capacity;
        this.pagesAhead = PagePretoucher.of(file, () -> (long) RECORDS.getOpaque(this));
    }

    private static VarHandle recordsHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(PacketCapture.class, "records", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Counts as appended what another process, which has ended or puts no more, has put into the file. As records are
     * put in order, their end is found by halving.
     *
     * @param sequence the field of the sequence number, which is negative in the record of a warm-up packet
     * @param stamp the field that tells whether a record is written
     */
    final void adopt(int sequence, int stamp) {
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

    /** How many records were appended. */
    public final long records() {
        return records;
    }

    /** Cuts the file to the records appended and closes it. */
    @Override
    public final void close() throws IOException {
        if (!closed) {
            closed = true;
            pagesAhead.close();
            file.close(records);
        }
    }
}
