package org.lagbench.core.capture;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A capture being written: preallocated and memory-mapped, so that a killed process loses no written record. Until
 * {@link #close(long)} the header states the full capacity, and records not yet written are zeros. Creation writes
 * every block, so that a full disk is detected then and not during a run.
 *
 * <p>Not thread-safe, except {@link #touch}. {@link #put} allocates nothing.
 */
final class CaptureFile {
    /** The records of a mapping are a power of two, so that an index is a shift and a mask. */
    private static final int RECORDS_SHIFT = 20;

    private static final long RECORDS_MASK = (1L << RECORDS_SHIFT) - 1;
    private static final int ZEROS_BYTES = 1 << 20;
    private static final int SMALLEST_PAGE_BYTES = 1 << 12;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final FileChannel channel;
    private final CaptureFormat format;
    private final long capacity;
    private final int recordsPerPage;
    private final MappedByteBuffer[] mappings;
    private final int recordBytes;

    private CaptureFile(FileChannel channel, CaptureFormat format, long capacity, MappedByteBuffer[] mappings) {
        this.channel = channel;
        this.format = format;
        this.capacity = capacity;
        this.mappings = mappings;
        this.recordBytes = format.recordBytes();
        this.recordsPerPage = SMALLEST_PAGE_BYTES / recordBytes;
    }

    /**
     * Creates a file with room for so many records.
     *
     * @throws IOException if the file exists, cannot be created, or does not fit on the disk; no file is left then
     */
    static CaptureFile create(Path path, List<String> fields, long capacity) throws IOException {
        CaptureFormat format = new CaptureFormat(fields, capacity);
        FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            long end = CaptureFormat.HEADER_BYTES + capacity * format.recordBytes();
            refuseIfTooLarge(path, end);
            ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
            for (long at = 0; at < end; ) {
                zeros.clear().limit((int) Math.min(ZEROS_BYTES, end - at));
                at += channel.write(zeros, at);
            }
            writeFully(channel, format.header(), 0);
            MappedByteBuffer[] mappings = new MappedByteBuffer[(int) ((capacity + RECORDS_MASK) >>> RECORDS_SHIFT)];
            for (int i = 0; i < mappings.length; i++) {
                long first = (long) i << RECORDS_SHIFT;
                long count = Math.min(RECORDS_MASK + 1, capacity - first);
                mappings[i] = channel.map(
                        FileChannel.MapMode.READ_WRITE,
                        CaptureFormat.HEADER_BYTES + first * format.recordBytes(),
                        count * format.recordBytes());
                mappings[i].order(ByteOrder.LITTLE_ENDIAN);
                makeWritable(mappings[i]);
            }
            return new CaptureFile(channel, format, capacity, mappings);
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(path);
            throw e;
        }
    }

    /** Returns the mapping that holds a record. */
    MappedByteBuffer mapping(long record) {
        return mappings[(int) (record >>> RECORDS_SHIFT)];
    }

    /** Returns the index of a record in its {@link #mapping}. */
    int offset(long record) {
        return (int) (record & RECORDS_MASK) * recordBytes;
    }

    void put(long record, int field, long value) {
        put(mapping(record), offset(record), field, value);
    }

    static void put(MappedByteBuffer mapping, int offset, int field, long value) {
        mapping.putLong(offset + field * Long.BYTES, value);
    }

    /**
     * Puts the field that marks a record as written. Neither compiler nor CPU reorders it with the other fields, so
     * that a process killed at any instruction leaves no mixed record.
     */
    static void putOrdered(MappedByteBuffer mapping, int offset, int field, long value) {
        VarHandle.storeStoreFence();
        put(mapping, offset, field, value);
        VarHandle.storeStoreFence();
    }

    /** Returns one field of one record, written by this or another process. */
    long get(long record, int field) {
        return mapping(record).getLong(offset(record) + field * Long.BYTES);
    }

    /**
     * Rewrites unchanged bytes in the pages of the records from the first to the last before {@code end}. For any
     * thread, also while another thread writes there.
     */
    void touch(long first, long end) {
        long last = Math.min(end, capacity) - 1;
        for (long record = first; record <= last; record += recordsPerPage) {
            touch(record);
        }
        if (first <= last) {
            touch(last);
        }
    }

    private void touch(long record) {
        LONGS.getAndAdd(mapping(record), offset(record), 0L);
    }

    /**
     * Truncates the file to so many records, updates the header, and closes it. The mappings must not be used again.
     */
    void close(long records) throws IOException {
        try (channel) {
            for (MappedByteBuffer mapping : mappings) {
                mapping.force();
            }
            writeFully(channel, new CaptureFormat(format.fields(), records).header(), 0);
            channel.truncate(CaptureFormat.HEADER_BYTES + records * recordBytes);
        }
    }

    /**
     * Writes to every page, so that a put causes no page fault. That lasts until the kernel writes the pages back; then
     * {@link PagePretoucher} takes over.
     */
    private static void makeWritable(MappedByteBuffer mapping) {
        for (int at = 0; at < mapping.capacity(); at += SMALLEST_PAGE_BYTES) {
            mapping.put(at, (byte) 0);
        }
        mapping.put(mapping.capacity() - 1, (byte) 0);
    }

    /** Fails before the file fills the disk. */
    private static void refuseIfTooLarge(Path path, long bytes) throws IOException {
        long usableBytes = path.toFile().getUsableSpace();
        if (bytes > usableBytes) {
            throw new IOException(path + " needs " + bytes + " bytes, and the disk has room for " + usableBytes);
        }
    }

    /** Writes all remaining bytes at a position of the file. */
    static void writeFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        for (long at = position; bytes.hasRemaining(); ) {
            at += channel.write(bytes, at);
        }
    }
}
