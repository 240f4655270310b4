package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A capture of rare records, at most some thousand a second, whose number need not be known beforehand. The file is
 * valid after each {@link #append}, which allocates nothing. Not thread-safe.
 */
public final class GrowingCapture implements AutoCloseable {
    private static final int RESERVED_AT_ONCE = 1 << 16;

    private final FileChannel channel;
    private final List<String> fields;
    private final ByteBuffer header;
    private final int recordsOffset;
    private final ByteBuffer record;
    private long records;
    private boolean reserved;

    private GrowingCapture(FileChannel channel, List<String> fields) {
        this.channel = channel;
        CaptureFormat format = new CaptureFormat(fields, 0);
        this.fields = format.fields();
        this.header = ByteBuffer.allocateDirect(format.headerBytes()).put(format.header());
        this.recordsOffset = format.recordsOffset();
        this.record = ByteBuffer.allocateDirect(fields.size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Creates an empty file.
     *
     * @param fields names of the fields; one of them is a stamp that is never 0, see {@link CaptureReader}
     * @throws IOException if the file exists or cannot be created
     */
    public static GrowingCapture create(Path path, List<String> fields) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            GrowingCapture capture = new GrowingCapture(channel, fields);
            capture.writeHeader();
            return capture;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Reserves disk space for this many records, so that appending these cannot fail on a full disk.
     *
     * @throws IOException also if the disk has no room for them
     */
    public void reserve(long records) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(RESERVED_AT_ONCE);
        long end = header.capacity() + records * record.capacity();
        for (long at = channel.size(); at < end; at += zeros.limit()) {
            CaptureFile.writeFully(channel, zeros.clear().limit((int) Math.min(zeros.capacity(), end - at)), at);
        }
        reserved = true;
    }

    /** Appends a record: the values of the fields, in order. An array of these is not copied. */
    public void append(long... values) throws IOException {
        if (values.length != fields.size()) {
            throw new IllegalArgumentException(values.length + " values for the fields " + fields);
        }
        record.clear();
        for (long value : values) {
            record.putLong(value);
        }
        CaptureFile.writeFully(channel, record.flip(), header.capacity() + records * record.limit());
        records++;
        writeHeader();
    }

    /** Removes all records. */
    public void clear() throws IOException {
        records = 0;
        writeHeader();
        channel.truncate(header.capacity());
    }

    public long records() {
        return records;
    }

    private void writeHeader() throws IOException {
        int digits = 1;
        for (long rest = records; rest >= 10; rest /= 10) {
            digits++;
        }
        long rest = records;
        for (int at = recordsOffset + digits - 1; at >= recordsOffset; at--) {
            header.put(at, (byte) ('0' + rest % 10));
            rest /= 10;
        }
        header.position(recordsOffset + digits);
        for (int i = 0; i < CaptureFormat.SHAPE_END.length(); i++) {
            header.put((byte) CaptureFormat.SHAPE_END.charAt(i));
        }
        while (header.remaining() > 1) {
            header.put((byte) ' ');
        }
        CaptureFile.writeFully(channel, header.rewind(), 0);
    }

    /** Closes the file, and releases the reserved space that no record needed. */
    @Override
    public void close() throws IOException {
        try (channel) {
            if (reserved && channel.isOpen()) {
                channel.truncate(header.capacity() + records * record.capacity());
            }
        }
    }
}
