package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A capture of rare records, at most several thousand a second, whose number need not be known beforehand. The file is
 * valid after each {@link #append}, which allocates nothing, or after {@link #close} if records are buffered. Not
 * thread-safe.
 */
public final class GrowingCapture implements AutoCloseable {
    private static final int RESERVED_AT_ONCE = 1 << 16;

    private final FileChannel channel;
    private final CaptureFormat format;
    private final ByteBuffer header;
    private final int recordsOffset;
    private final int recordBytes;

    /** The records that are not yet in the file. */
    private final ByteBuffer buffer;

    private long records;
    private long writtenBytes;
    private @Nullable IOException failure;
    private boolean reserved;

    private GrowingCapture(FileChannel channel, List<String> fields, int bufferedRecords) {
        this.channel = channel;
        this.format = new CaptureFormat(fields, 0);
        this.header = ByteBuffer.allocateDirect(format.headerBytes()).put(format.header());
        this.recordsOffset = format.recordsOffset();
        this.recordBytes = format.recordBytes();
        this.buffer = ByteBuffer.allocateDirect(bufferedRecords * recordBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Creates an empty file.
     *
     * @param fields names of the fields; one of them is a stamp that is never 0, see {@link CaptureReader}
     * @throws IOException if the file exists or cannot be created
     */
    public static GrowingCapture create(Path path, List<String> fields) throws IOException {
        return create(path, fields, 1);
    }

    /**
     * Creates a file like {@link #create(Path, List)} that is written several records at a time.
     *
     * @param bufferedRecords maximum number of records that are not yet in the file
     */
    static GrowingCapture create(Path path, List<String> fields, int bufferedRecords) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            GrowingCapture capture = new GrowingCapture(channel, fields, bufferedRecords);
            capture.writeHeader();
            return capture;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Opens a file to continue it, or creates it. Removes what a crash of the machine has left at its end: a part of a
     * header or of a record, and records whose first field is 0.
     *
     * @throws IllegalArgumentException if the file is not one with these fields
     */
    public static GrowingCapture open(Path path, List<String> fields) throws IOException {
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            GrowingCapture capture = new GrowingCapture(channel, fields, 1);
            capture.findRecords();
            channel.truncate(capture.header.capacity() + capture.writtenBytes);
            capture.writeHeader();
            return capture;
        } catch (IOException | IllegalArgumentException e) {
            channel.close();
            throw e;
        }
    }

    private void findRecords() throws IOException {
        ByteBuffer start = ByteBuffer.allocate(header.capacity());
        CaptureFormat.readFully(channel, start, 0);
        if (start.hasRemaining()) {
            return;
        } else if (!format.isBegin(start.flip())) {
            throw new IllegalArgumentException("not a file with the fields " + format.fields());
        }
        ByteBuffer first = ByteBuffer.allocate(Long.BYTES);
        for (records = (channel.size() - header.capacity()) / recordBytes; records > 0; records--) {
            writtenBytes = records * recordBytes;
            CaptureFormat.readFully(channel, first.clear(), header.capacity() + writtenBytes - recordBytes);
            if (first.getLong(0) != 0) {
                return;
            }
        }
        writtenBytes = 0;
    }

    /**
     * Reserves disk space for this many records, so that appending these cannot fail on a full disk.
     *
     * @throws IOException also if the disk has no room for them
     */
    public void reserve(long records) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(RESERVED_AT_ONCE);
        long end = header.capacity() + records * recordBytes;
        for (long at = channel.size(); at < end; at += zeros.limit()) {
            CaptureFormat.writeFully(channel, zeros.clear().limit((int) Math.min(zeros.capacity(), end - at)), at);
        }
        reserved = true;
    }

    /** Appends a record: the values of the fields, in order. An array of these is not copied. */
    public void append(long... values) throws IOException {
        if (values.length != format.fields().size()) {
            throw new IllegalArgumentException(
                    "a record has " + format.fields().size() + " fields, not " + values.length);
        }
        for (long value : values) {
            buffer.putLong(value);
        }
        records++;
        if (!buffer.hasRemaining()) {
            flush();
        }
    }

    /** Appends whole records as they are in the file: little-endian. */
    public void appendAll(ByteBuffer whole) throws IOException {
        flush();
        records += whole.remaining() / recordBytes;
        write(whole);
    }

    private void flush() throws IOException {
        if (buffer.position() > 0) {
            try {
                write(buffer.flip());
            } finally {
                buffer.clear();
            }
        }
    }

    private void write(ByteBuffer whole) throws IOException {
        int bytes = whole.remaining();
        try {
            CaptureFormat.writeFully(channel, whole, header.capacity() + writtenBytes);
        } catch (IOException e) {
            records = writtenBytes / recordBytes;
            throw e;
        }
        writtenBytes += bytes;
        writeHeader();
    }

    /** Appends a record, unless an earlier call failed: see {@link #failure}. */
    public void appendUnlessFailed(long... values) {
        if (failure == null) {
            try {
                append(values);
            } catch (IOException e) {
                fail(e);
            }
        }
    }

    /** Makes {@link #appendUnlessFailed} append nothing more, and sets {@link #failure} unless it is known. */
    public void fail(IOException why) {
        failure = failure == null ? why : failure;
    }

    /** Returns why not all records were appended; null if {@link #appendUnlessFailed} never failed. */
    public @Nullable IOException failure() {
        return failure;
    }

    /** Removes all records, or sets {@link #failure}. */
    public void clear() {
        records = 0;
        writtenBytes = 0;
        buffer.clear();
        try {
            writeHeader();
            channel.truncate(header.capacity());
        } catch (IOException e) {
            fail(e);
        }
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
        CaptureFormat.writeFully(channel, header.rewind(), 0);
    }

    /** Writes the remaining records, closes the file, and releases the reserved space that no record needed. */
    @Override
    public void close() throws IOException {
        try (channel) {
            flush();
            if (reserved && channel.isOpen()) {
                channel.truncate(header.capacity() + records * recordBytes);
            }
        }
    }
}
