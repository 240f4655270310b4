package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/**
 * Reads a capture, also one whose writer was killed (the file ends with records never written) and one that was
 * truncated (its whole records are read).
 *
 * <p>Holds at most {@value #BLOCKS} blocks of {@value #BLOCK_BYTES} bytes, the last ones used; {@value #MAX_BLOCKS}
 * from the first read that returns by {@value #BLOCKS} blocks or more, as with reordered packets. Walking forward or
 * backward, or jumping by less than their length, reads each block once. Does not map the file, so that a capture
 * truncated during reading causes an exception and not a crash. Not thread-safe. {@link #value} and {@link #read}
 * allocate only each block when it is first needed.
 */
public final class CaptureReader implements AutoCloseable {
    static final int BLOCK_BYTES = 1 << 16;
    static final int BLOCKS = 4;
    static final int MAX_BLOCKS = 64;

    private static final int BLOCK_LONGS = BLOCK_BYTES / Long.BYTES;

    private static final String SEQUENCE = "seq";

    /**
     * The fields that mark a record as written. The first of these that a capture has is the last field written to a
     * record; it is 0 in a record that was never written.
     */
    private static final List<String> STAMPS = List.of(
            "sent_ns",
            "received_ns",
            "answered_ns",
            "at_ns",
            "kernel_ns",
            "start_ns",
            "send_end_ns",
            "dropped_ns",
            "left_ns");

    private final Path path;
    private final FileChannel channel;
    private final List<String> fields;
    private final int headerBytes;
    private final int recordLongs;

    /** Base-2 logarithm of the records in a block. */
    private final int blockShift;

    private final ByteBuffer buffer;
    private final LongBuffer numbers;
    private final long capacity;
    private long records;
    private boolean unfinished;

    /** Block n is at index n modulo the length, where {@link #held} contains its number. */
    private long[][] blocks = new long[BLOCKS][0];

    private long[] held = {-1, -1, -1, -1};

    /** The block that was read last. */
    private long last = -1;

    /** The records that may be read: all that fit into the file until their end is found. */
    private long readable;

    private CaptureReader(Path path, FileChannel channel, CaptureFormat format) throws LagbenchException {
        this.path = path;
        this.channel = channel;
        this.fields = format.fields();
        this.headerBytes = format.headerBytes();
        this.recordLongs = format.fields().size();
        this.blockShift = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(BLOCK_LONGS / recordLongs);
        this.buffer = ByteBuffer.allocateDirect((recordLongs << blockShift) * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        this.numbers = buffer.asLongBuffer();
        this.capacity = format.records();
        findEnd(false);
    }

    /**
     * Opens a capture for reading.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} and the path, if it cannot be read or is not a capture
     */
    public static CaptureReader open(Path path) throws LagbenchException {
        try {
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
            try {
                ByteBuffer header = ByteBuffer.allocate(CaptureFormat.MAXIMUM_HEADER_BYTES);
                CaptureFormat.readFully(channel, header, 0);
                CaptureFormat format = CaptureFormat.parse(header.flip());
                if (STAMPS.stream().noneMatch(format.fields()::contains)) {
                    throw new IllegalArgumentException("its fields are " + String.join(", ", format.fields()));
                }
                return new CaptureReader(path, channel, format);
            } catch (IllegalArgumentException | IOException | LagbenchException e) {
                channel.close();
                throw e;
            }
        } catch (IllegalArgumentException e) {
            throw ExitCode.FILES.failure(path + " is not a capture: " + e.getMessage() + ".", e);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /** Returns how many records the file has room for now. */
    private long room() throws LagbenchException {
        try {
            return Math.min(capacity, (channel.size() - headerBytes) / ((long) recordLongs * Long.BYTES));
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /**
     * Finds the end of the written records; once more if the writer has closed, and so truncated, the file meanwhile.
     *
     * @param isGrowing whether the end is near the records found before, not near the end of the file
     */
    private void findEnd(boolean isGrowing) throws LagbenchException {
        long room = room();
        while (true) {
            try {
                readable = room;
                Arrays.fill(held, -1);
                endAt(writtenRecords(records, isGrowing ? records : room - 1));
                return;
            } catch (LagbenchException e) {
                long before = room;
                room = room();
                if (room >= before) {
                    throw e;
                }
            }
        }
    }

    private void endAt(long end) {
        records = end;
        readable = end;
        unfinished = end < capacity;
        Arrays.fill(held, -1); // a block may have been read before all its records were written
        last = -1;
    }

    private static LagbenchException unreadable(Path path, IOException e) {
        return IoErrors.toException("The capture " + path + " cannot be read", e);
    }

    /** Returns the index of the field that marks a record as written; one of the fields is such a stamp. */
    static int stamp(List<String> fields) {
        return STAMPS.stream()
                .mapToInt(fields::indexOf)
                .filter(field -> field >= 0)
                .findFirst()
                .orElseThrow();
    }

    /** Returns the names of the fields, in order. */
    public List<String> fields() {
        return fields;
    }

    /** Returns the index of a field for {@link #value} and {@link #read}. */
    public int field(String name) throws LagbenchException {
        int field = fields.indexOf(name);
        if (field < 0) {
            throw ExitCode.FILES.failure(
                    "The capture " + path + " has no field " + name + "; it has " + String.join(", ", fields) + ".");
        }
        return field;
    }

    /** Returns how many records were written and are in the file. */
    public long records() {
        return records;
    }

    /** Returns whether the capture was not closed by its writer, or was truncated since: records may be missing. */
    public boolean unfinished() {
        return unfinished;
    }

    /** Returns whether the file has exactly the records that its header says, all of them written. */
    public boolean isExact() throws LagbenchException {
        try {
            return !unfinished && channel.size() == headerBytes + capacity * recordLongs * Long.BYTES;
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /**
     * Finds the records written since the capture was opened or updated. Its writer, a thread of any process, does not
     * notice, and may close the capture meanwhile.
     *
     * @return {@link #records()}
     */
    public long update() throws LagbenchException {
        findEnd(true);
        return records;
    }

    /**
     * Returns one field of one record.
     *
     * @param record from 0 to {@link #records()} − 1
     * @param field the index from {@link #field}
     * @throws LagbenchException if the file cannot be read
     */
    public long value(long record, int field) throws LagbenchException {
        Objects.checkIndex(field, fields.size());
        return block(record)[indexInBlock(record) + field];
    }

    /**
     * Copies one field of consecutive records into {@code values[0]} to {@code values[count - 1]}.
     *
     * @param first the first record
     * @param field the index from {@link #field}
     * @param count the number of records, all of which must exist
     * @throws LagbenchException if the file cannot be read
     */
    public void read(long first, int field, long[] values, int count) throws LagbenchException {
        Objects.checkIndex(field, fields.size());
        int done = 0;
        while (done < count) {
            long record = first + done;
            long[] block = block(record);
            int from = indexInBlock(record) + field;
            int available = (int) Math.min(count - done, blockEnd(record) - record);
            for (int i = 0; i < available; i++) {
                values[done + i] = block[from + i * recordLongs];
            }
            done += available;
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws LagbenchException {
        try {
            channel.close();
        } catch (IOException e) {
            throw IoErrors.toException("Closing " + path + " failed", e);
        }
    }

    /**
     * Finds the end of the records. They are written without gaps, so bisection finds the first that is not written.
     *
     * @param known the number of records that are known to be written
     * @param first the record to probe first: the last one of a closed capture, so that one probe is enough; or the
     *     first unknown one of a growing capture, which is probed in steps that double
     */
    private long writtenRecords(long known, long first) throws LagbenchException {
        int sequence = fields.indexOf(SEQUENCE);
        int stamp = stamp(fields);
        long written = known;
        long unknown = readable;
        for (long probe = first; written < unknown; ) {
            if (value(probe, stamp) != 0 && (sequence < 0 || value(probe, sequence) >= 0)) {
                written = probe + 1;
                long step = unknown == readable ? written - known : (unknown - written) / 2;
                probe = Math.min(unknown - 1, written + step);
            } else {
                unknown = probe;
                probe = written + (unknown - written) / 2;
            }
        }
        return written;
    }

    private int indexInBlock(long record) {
        return (int) (record & ((1L << blockShift) - 1)) * recordLongs;
    }

    /** Returns the first record after the block that contains a record. */
    private long blockEnd(long record) {
        return ((record >> blockShift) + 1) << blockShift;
    }

    private long[] block(long record) throws LagbenchException {
        if (record < 0 || record >= readable) {
            throw new IndexOutOfBoundsException(
                    "there is no record " + record + " among the " + readable + " of " + path);
        }
        long number = record >> blockShift;
        int slot = (int) number & (blocks.length - 1);
        if (held[slot] == number) {
            return blocks[slot];
        }
        long back = last - number;
        if (blocks.length == BLOCKS && back >= BLOCKS && back < MAX_BLOCKS) {
            holdMore();
        }
        return load(number, (int) number & (blocks.length - 1));
    }

    /** Makes room for the blocks between which a reader of reordered packets jumps. */
    private void holdMore() {
        long[][] few = blocks;
        blocks = new long[MAX_BLOCKS][0];
        long[] numbers = held;
        held = new long[MAX_BLOCKS];
        Arrays.fill(held, -1);
        for (int i = 0; i < few.length; i++) {
            int slot = (int) numbers[i] & (MAX_BLOCKS - 1);
            if (numbers[i] >= 0) {
                blocks[slot] = few[i];
                held[slot] = numbers[i];
            }
        }
    }

    private long[] load(long number, int slot) throws LagbenchException {
        long first = number << blockShift;
        int longs = (int) Math.min(1L << blockShift, readable - first) * recordLongs;
        held[slot] = -1;
        buffer.clear().limit(longs * Long.BYTES);
        try {
            CaptureFormat.readFully(channel, buffer, headerBytes + first * recordLongs * Long.BYTES);
        } catch (IOException e) {
            throw unreadable(path, e);
        }
        if (buffer.hasRemaining()) {
            throw ExitCode.FILES.failure("The capture " + path + " was truncated while it was read.");
        }
        if (blocks[slot].length == 0) {
            blocks[slot] = new long[recordLongs << blockShift];
        }
        numbers.get(0, blocks[slot], 0, longs);
        held[slot] = number;
        last = number;
        return blocks[slot];
    }
}
