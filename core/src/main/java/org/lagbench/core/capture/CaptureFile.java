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
 * A capture being written: preallocated and memory-mapped, so that a killed process loses no record that it had put.
 * Until {@link #close(long)} the header tells of all the room there is, and records not yet written are zeros. A full
 * disk is found when the file is made, never in mid-run: every block is written then.
 *
 * <p>Not thread-safe, but for {@link #touch}. {@link #put} allocates nothing.
 */
final class CaptureFile {
    /** Records that a mapping holds; a power of two, so that an index is a shift and a mask. */
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
     * Makes the file with room for so many records.
     *
     * @throws IOException if the file exists, cannot be made, or the disk has no room for it; nothing is left then
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

    /** The mapping that holds a record; whoever puts several fields of it looks it up once. */
    MappedByteBuffer mapping(long record) {
        return mappings[(int) (record >>> RECORDS_SHIFT)];
    }

    /** The index in its {@link #mapping} at which a record begins. */
    int offset(long record) {
        return (int) (record & RECORDS_MASK) * recordBytes;
    }

    /** Puts one field of one record. */
    void put(long record, int field, long value) {
        put(mapping(record), offset(record), field, value);
    }

    /** Puts one field of the record that begins there. */
    static void put(MappedByteBuffer mapping, int offset, int field, long value) {
        mapping.putLong(offset + field * Long.BYTES, value);
    }

    /**
     * Puts the field that tells whether a record is written: neither compiler nor processor moves it among the puts of
     * the other fields, so that a process killed at any instruction leaves no record that is half another's.
     */
    static void putOrdered(MappedByteBuffer mapping, int offset, int field, long value) {
        VarHandle.storeStoreFence();
        put(mapping, offset, field, value);
        VarHandle.storeStoreFence();
    }

    /** One field of one record, as this or another process has put it. */
    long get(long record, int field) {
        return mapping(record).getLong(offset(record) + field * Long.BYTES);
    }

    /**
     * Writes to the pages of records, from the first given to the last before {@code end}, what is there. Any thread
     * may call it, whatever another puts there meanwhile.
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

    /** Cuts the file to so many records, says so in the header, and closes it. The mappings must not be used again. */
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
     * Has every page's first write behind it, where a put would meet a page fault: some 4 µs, or ms while the file
     * system's journal is busy. That lasts until the kernel writes the pages out, which {@link PagePretoucher} sees to.
     */
    private static void makeWritable(MappedByteBuffer mapping) {
        for (int at = 0; at < mapping.capacity(); at += SMALLEST_PAGE_BYTES) {
            mapping.put(at, (byte) 0);
        }
        mapping.put(mapping.capacity() - 1, (byte) 0);
    }

    /** Tells at once, and not after filling up the disk for all its other users. */
    private static void refuseIfTooLarge(Path path, long bytes) throws IOException {
        long usableBytes = path.toFile().getUsableSpace();
        if (bytes > usableBytes) {
            throw new IOException(path + " would take " + bytes + " bytes, and the disk has room for " + usableBytes);
        }
    }

    /** Writes all the bytes that remain, from that position of the file on. */
    static void writeFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        for (long at = position; bytes.hasRemaining(); ) {
            at += channel.write(bytes, at);
        }
    }
}
