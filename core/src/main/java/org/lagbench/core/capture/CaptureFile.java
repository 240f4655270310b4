package org.lagbench.core.capture;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;

/**
 * A capture being written: preallocated and memory-mapped, so that a killed process loses no written record. Until
 * {@link #close(long)} the header states the full capacity, and records not yet written are zeros.
 *
 * <p>The file has its full length from the beginning. Disk blocks are written for its first {@value #AHEAD_RECORDS}
 * records, so that a full disk is detected before the run; {@link CaptureGrowth} keeps that number ahead of the writer.
 *
 * <p>Not thread-safe, except {@link #touch}, {@link #prepareNext} and {@link #stopGrowing}. {@link #put} allocates
 * nothing.
 */
final class CaptureFile {
    /** The records of a mapping are a power of two, so that an index is a shift and a mask. */
    private static final int RECORDS_SHIFT = 20;

    private static final long RECORDS_MASK = (1L << RECORDS_SHIFT) - 1;
    private static final int AHEAD_MAPPINGS = 4;

    /** Equals AHEAD_RECORDS in capture.c. */
    static final long AHEAD_RECORDS = (long) AHEAD_MAPPINGS << RECORDS_SHIFT;

    private static final int ZEROS_BYTES = 1 << 20;
    private static final int SMALLEST_PAGE_BYTES = 1 << 12;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle MAPPINGS = MethodHandles.arrayElementVarHandle(MappedByteBuffer[].class);

    private final Path path;
    private final FileChannel channel;
    private final CaptureFormat format;
    private final long capacity;
    private final int recordsPerPage;
    private final int headerBytes;
    private final int recordBytes;
    private final long length;
    private final ByteBuffer zeros;

    /** Elements from index {@link #prepared} on are null. */
    private final @Nullable MappedByteBuffer[] mappings;

    /** The number of mappings that the writer may use. */
    private volatile int prepared;

    private volatile boolean stopped;
    private volatile @Nullable IOException failure;

    private CaptureFile(Path path, FileChannel channel, CaptureFormat format) {
        this.path = path;
        this.channel = channel;
        this.format = format;
        this.capacity = format.records();
        this.headerBytes = format.headerBytes();
        this.recordBytes = format.recordBytes();
        this.recordsPerPage = SMALLEST_PAGE_BYTES / recordBytes;
        this.length = headerBytes + capacity * recordBytes;
        this.zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_BYTES, length));
        this.mappings = new MappedByteBuffer[(int) ((capacity + RECORDS_MASK) >>> RECORDS_SHIFT)];
    }

    /**
     * Creates a file with room for {@code capacity} records.
     *
     * @throws IOException if the file exists, cannot be created, or does not fit on the disk; no file is left then
     */
    static CaptureFile create(Path path, List<String> fields, long capacity) throws IOException {
        CaptureFormat format = new CaptureFormat(fields, capacity);
        FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            CaptureFile file = new CaptureFile(path, channel, format);
            file.refuseIfTooLarge();
            CaptureFormat.writeFully(channel, format.header(), 0);
            CaptureFormat.writeFully(channel, ByteBuffer.allocate(1), file.length - 1);
            while (file.prepared < Math.min(AHEAD_MAPPINGS, file.mappings.length)) {
                file.prepareNext();
            }
            return file;
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(path);
            throw new IOException(path + ": " + IoErrors.reason(e), e);
        }
    }

    Path path() {
        return path;
    }

    /** Returns the mapping that holds a record; waits for it if the disk is slower than the writer. */
    MappedByteBuffer mapping(long record) {
        int index = (int) (record >>> RECORDS_SHIFT);
        MappedByteBuffer mapping = (MappedByteBuffer) MAPPINGS.getAcquire(mappings, index);
        return mapping == null ? awaitMapping(index) : mapping;
    }

    private synchronized MappedByteBuffer awaitMapping(int index) {
        boolean interrupted = false;
        try {
            while (true) {
                MappedByteBuffer mapping = mappings[index];
                IOException why = failure;
                if (mapping != null) {
                    return mapping;
                } else if (why != null) {
                    throw new UncheckedIOException(why);
                }
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns whether the writer may soon need records for which no disk blocks are written. */
    boolean mustGrow(long written) {
        return prepared < mappings.length && written + AHEAD_RECORDS > preparedRecords();
    }

    /** Returns whether {@link #mustGrow} may ever return true. */
    boolean canGrow() {
        return prepared < mappings.length;
    }

    private long preparedRecords() {
        return (long) prepared << RECORDS_SHIFT;
    }

    /** Writes the disk blocks of the next records, unless stopped. One thread at a time calls this. */
    void prepareNext() throws IOException {
        int index = prepared;
        long first = preparedRecords();
        long begin = headerBytes + first * recordBytes;
        long bytes = Math.min(RECORDS_MASK + 1, capacity - first) * recordBytes;
        for (long at = 0; at < bytes; ) {
            if (stopped) {
                return;
            } else if (channel.size() < length) {
                throw truncated();
            }
            zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
            at += channel.write(zeros, begin + at);
        }
        MappedByteBuffer mapping = channel.map(FileChannel.MapMode.READ_WRITE, begin, bytes);
        mapping.order(ByteOrder.LITTLE_ENDIAN);
        makeWritable(mapping);
        synchronized (this) {
            MAPPINGS.setRelease(mappings, index, mapping);
            prepared = index + 1;
            notifyAll();
        }
    }

    /** Makes {@link #prepareNext} return soon, and every later call at once. For any thread. */
    void stopGrowing() {
        stopped = true;
    }

    /**
     * Records why the file cannot be written, so that the writer and {@link #close} throw it. Returns what they throw.
     */
    synchronized IOException fail(IOException why) {
        IOException named = new IOException(path + ": " + IoErrors.reason(why) + ", on " + IoErrors.disk(path), why);
        failure = named;
        notifyAll();
        return named;
    }

    /** Returns why the file cannot be written; null if nothing failed so far. */
    @Nullable
    IOException failure() {
        return failure;
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

    /**
     * Returns one field of one record, written by this or another process; 0 if the file has been truncated before it.
     */
    long get(long record, int field) throws IOException {
        ByteBuffer value = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        channel.read(value, headerBytes + record * recordBytes + (long) field * Long.BYTES);
        return value.getLong(0);
    }

    /**
     * Rewrites unchanged bytes in the pages of the records from the first to the last before {@code end}. For any
     * thread, also while another thread writes there.
     *
     * @throws IOException if another program has truncated the file
     */
    void touch(long first, long end) throws IOException {
        long last = Math.min(end, Math.min(capacity, preparedRecords())) - 1;
        for (long record = first; record <= last; record += recordsPerPage) {
            touch(record);
        }
        if (first <= last) {
            touch(last);
        }
    }

    private void touch(long record) throws IOException {
        if (channel.size() < length) { // beyond the end of the file, an atomic operation ends the JVM
            throw truncated();
        }
        MappedByteBuffer mapping = mapping(record);
        int at = offset(record);
        long value = mapping.getLong(at);
        LONGS.compareAndSet(mapping, at, value, value);
    }

    /**
     * Truncates the file to this many records, updates the header, and closes it. The mappings must not be used again.
     *
     * @throws IOException also if another program has truncated the file, which lost records
     */
    void close(long records) throws IOException {
        try (channel) {
            long size = channel.size();
            long left = Math.min(records, Math.max(0, size - headerBytes) / recordBytes);
            CaptureFormat.writeFully(channel, new CaptureFormat(format.fields(), left).header(), 0);
            channel.truncate(headerBytes + left * recordBytes);
            channel.force(false);
            if (size < length) {
                throw truncated();
            }
        }
        IOException why = failure;
        if (why != null) {
            throw why;
        }
    }

    private IOException truncated() {
        return new IOException("another program has truncated " + path);
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

    /** Throws an exception if the disk has too little space for the file. */
    private void refuseIfTooLarge() throws IOException {
        long usableBytes = path.toFile().getUsableSpace();
        if (length > usableBytes) {
            throw new IOException("it needs " + length + " bytes, and the disk has room for " + usableBytes
                    + "; make room, or set fewer packets");
        }
    }
}
