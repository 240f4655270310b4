package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The events in the process of one side of a run: {@code cause, start_ns, end_ns, took_ns}. The cause is a code, the
 * times are CLOCK_REALTIME of that side in ns. An event may have taken only a part of the time from start to end; which
 * part is unknown. Written at the end of the run, unordered. Not thread-safe.
 */
public final class EventsCapture implements AutoCloseable {
    public static final String SENDER_FILE_NAME = "sender-events.npy";

    public static final String RECEIVER_FILE_NAME = "receiver-events.npy";

    public static final List<String> FIELDS = List.of("cause", "start_ns", "end_ns", "took_ns");

    private static final int BUFFER_RECORDS = 1 << 12;

    private final FileChannel channel;
    private final ByteBuffer buffer =
            ByteBuffer.allocate(BUFFER_RECORDS * FIELDS.size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long records;
    private long written = CaptureFormat.HEADER_BYTES;

    private EventsCapture(FileChannel channel) {
        this.channel = channel;
    }

    /** Creates the file, or replaces it. */
    public static EventsCapture create(Path path) throws IOException {
        FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        return new EventsCapture(channel);
    }

    public void append(long cause, long startNs, long endNs, long tookNs) throws IOException {
        if (!buffer.hasRemaining()) {
            writeBuffer();
        }
        buffer.putLong(cause).putLong(startNs).putLong(endNs).putLong(tookNs);
        records++;
    }

    /** Writes the remaining events and the header. */
    @Override
    public void close() throws IOException {
        try (channel) {
            writeBuffer();
            CaptureFile.writeFully(channel, new CaptureFormat(FIELDS, records).header(), 0);
        }
    }

    private void writeBuffer() throws IOException {
        buffer.flip();
        int bytes = buffer.remaining();
        CaptureFile.writeFully(channel, buffer, written);
        written += bytes;
        buffer.clear();
    }
}
