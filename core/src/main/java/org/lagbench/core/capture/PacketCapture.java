package org.lagbench.core.capture;

import java.io.IOException;

/** What the captures of both sides have in common: records appended, one a packet, to a file with room for so many. */
abstract class PacketCapture implements AutoCloseable {
    /** The stamp of a record not yet written, or being written over. */
    static final long NOT_WRITTEN = 0;

    final CaptureFile file;
    final long capacity;
    long records;
    private boolean closed;

    PacketCapture(CaptureFile file, long capacity) {
        this.file = file;
        this.capacity = capacity;
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
            file.close(records);
        }
    }
}
