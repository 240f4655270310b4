package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The stamps of questions and answers over the control connection, by which the two clocks are compared:
 * {@code seq, sent_ns, received_ns, replied_ns, returned_ns}; sent and returned by the sender's clock, received and
 * replied by the receiver's, all CLOCK_REALTIME in ns. After each {@link #append} the file is whole. Not thread-safe.
 */
public final class TwoWayCapture implements AutoCloseable {
    /** The file's name in a run's directory. */
    public static final String FILE_NAME = "two-way.npy";

    /** Names of the fields. */
    public static final List<String> FIELDS = List.of("seq", "sent_ns", "received_ns", "replied_ns", "returned_ns");

    private final FileChannel channel;
    private long records;

    private TwoWayCapture(FileChannel channel) {
        this.channel = channel;
    }

    /** Makes an empty file. */
    public static TwoWayCapture create(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            TwoWayCapture capture = new TwoWayCapture(channel);
            capture.writeHeader();
            return capture;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Appends one exchange. */
    public void append(long sentNs, long receivedNs, long repliedNs, long returnedNs) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(FIELDS.size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        record.putLong(records)
                .putLong(sentNs)
                .putLong(receivedNs)
                .putLong(repliedNs)
                .putLong(returnedNs)
                .flip();
        CaptureFile.writeFully(channel, record, CaptureFormat.HEADER_BYTES + records * record.remaining());
        records++;
        writeHeader();
    }

    /** Forgets what was appended. */
    public void clear() throws IOException {
        records = 0;
        writeHeader();
        channel.truncate(CaptureFormat.HEADER_BYTES);
    }

    /** How many exchanges were appended. */
    public long records() {
        return records;
    }

    private void writeHeader() throws IOException {
        CaptureFile.writeFully(channel, new CaptureFormat(FIELDS, records).header(), 0);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
