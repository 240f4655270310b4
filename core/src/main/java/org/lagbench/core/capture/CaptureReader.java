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
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/**
 * Reads a capture, whatever became of the process that wrote it: one that was closed, one whose writer was killed (the
 * file then ends in room never written), one that was cut off somewhere (its whole records are read).
 *
 * <p>Holds {@value #BLOCKS} blocks of {@value #BLOCK_BYTES} bytes at most however long the capture is, those that a
 * walk has come through last, filled by positional reads: walking forward or backward, or hopping about by less than
 * their length, reads each block once. The file is never mapped, so that a capture that is cut short while being read
 * is an exception and not a dead process. Not thread-safe; open a reader a thread. {@link #value} and {@link #read}
 * allocate a block when it is first needed and nothing else.
 */
public final class CaptureReader implements AutoCloseable {
    static final int BLOCK_BYTES = 1 << 16;
    static final int BLOCKS = 4;

    private static final int BLOCK_LONGS = BLOCK_BYTES / Long.BYTES;

    private static final String SEQUENCE = "seq";

    /** The fields that are put last, a capture has its by the first of these; 0 in a record that was never written. */
    private static final List<String> STAMPS = List.of("sent_ns", "received_ns", "at_ns", "kernel_ns", "start_ns");

    private final Path path;
    private final FileChannel channel;
    private final List<String> fields;
    private final int recordLongs;

    /** A block has 2^this records. */
    private final int blockShift;

    private final ByteBuffer buffer;
    private final LongBuffer numbers;
    private final long records;
    private final boolean unfinished;

    /** Block n is in the place n modulo {@value #BLOCKS}, where {@link #held} has its number. */
    private final long[][] blocks = new long[BLOCKS][0];

    private final long[] held = {-1, -1, -1, -1};

    /** The records that may be read: all the file has room for until the end is found. */
    private long readable;

    private CaptureReader(Path path, FileChannel channel, CaptureFormat format, long room) throws LagbenchException {
        this.path = path;
        this.channel = channel;
        this.fields = format.fields();
        this.recordLongs = format.fields().size();
        this.blockShift = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(BLOCK_LONGS / recordLongs);
        this.buffer = ByteBuffer.allocateDirect((recordLongs << blockShift) * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        this.numbers = buffer.asLongBuffer();
        this.readable = Math.min(room, format.records());
        this.records = writtenRecords();
        this.unfinished = records < format.records();
        this.readable = records;
        Arrays.fill(held, -1);
    }

    /**
     * Opens a capture for reading.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} and the path, if it cannot be read or is no capture
     */
    public static CaptureReader open(Path path) throws LagbenchException {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(path, StandardOpenOption.READ);
            ByteBuffer header = ByteBuffer.allocate(CaptureFormat.HEADER_BYTES);
            readFully(channel, header, 0);
            CaptureFormat format = CaptureFormat.parse(header.flip());
            if (STAMPS.stream().noneMatch(format.fields()::contains)) {
                throw new IllegalArgumentException("its fields are " + String.join(", ", format.fields()));
            }
            long room = (channel.size() - CaptureFormat.HEADER_BYTES) / format.recordBytes();
            return new CaptureReader(path, channel, format, room);
        } catch (IllegalArgumentException e) {
            closeAfter(e, channel);
            throw new LagbenchException(ExitCode.FILES, path + " is no capture: " + e.getMessage() + ".", e);
        } catch (IOException e) {
            closeAfter(e, channel);
            throw new LagbenchException(
                    ExitCode.FILES, "The capture " + path + " cannot be read: " + IoErrors.reason(e) + ".", e);
        } catch (LagbenchException e) {
            closeAfter(e, channel);
            throw e;
        }
    }

    /** Names of the fields, in their order. */
    public List<String> fields() {
        return fields;
    }

    /** Whether the capture has that field: {@code bus_cycle} is not in all. */
    public boolean has(String name) {
        return fields.contains(name);
    }

    /** The index of a field, for {@link #value} and {@link #read}. */
    public int field(String name) throws LagbenchException {
        int field = fields.indexOf(name);
        if (field < 0) {
            throw new LagbenchException(
                    ExitCode.FILES,
                    "The capture " + path + " has no field " + name + "; it has " + String.join(", ", fields) + ".");
        }
        return field;
    }

    /** How many records were written, as far as the file holds them. */
    public long records() {
        return records;
    }

    /** Whether the capture was not closed by its writer, or was cut off since: it may lack what came after. */
    public boolean unfinished() {
        return unfinished;
    }

    /**
     * One field of one record.
     *
     * @param record from 0 to {@link #records()} − 1
     * @param field what {@link #field} gave
     * @throws LagbenchException if the file cannot be read
     */
    public long value(long record, int field) throws LagbenchException {
        Objects.checkIndex(field, fields.size());
        return block(record)[indexInBlock(record) + field];
    }

    /**
     * One field of the records from {@code first} on, into {@code values[0]} to {@code values[count - 1]}.
     *
     * @param first the first record
     * @param field what {@link #field} gave
     * @param count how many; the records must be there
     * @throws LagbenchException if the file cannot be read
     */
    public void read(long first, int field, long[] values, int count) throws LagbenchException {
        Objects.checkIndex(field, fields.size());
        int done = 0;
        while (done < count) {
            long record = first + done;
            long[] block = block(record);
            int from = indexInBlock(record) + field;
            int there = (int) Math.min(count - done, blockEnd(record) - record);
            for (int i = 0; i < there; i++) {
                values[done + i] = block[from + i * recordLongs];
            }
            done += there;
        }
    }

    /** The file that is read. */
    public Path path() {
        return path;
    }

    @Override
    public void close() throws LagbenchException {
        try {
            channel.close();
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, "Closing " + path + " failed: " + IoErrors.reason(e) + ".", e);
        }
    }

    /**
     * Where the records end. They are written without gaps, so that the first that is not written is found by
     * bisection; in a capture that was closed the last record tells at once.
     */
    private long writtenRecords() throws LagbenchException {
        int sequence = fields.indexOf(SEQUENCE);
        int stamp = field(STAMPS.stream().filter(this::has).findFirst().orElseThrow());
        long written = 0;
        long unknown = readable;
        for (long probe = readable - 1; written < unknown; probe = written + (unknown - written) / 2) {
            if (value(probe, stamp) != 0 && (sequence < 0 || value(probe, sequence) >= 0)) {
                written = probe + 1;
            } else {
                unknown = probe;
            }
        }
        return written;
    }

    private int indexInBlock(long record) {
        return (int) (record & ((1L << blockShift) - 1)) * recordLongs;
    }

    /** The first record that is not in the block of this one. */
    private long blockEnd(long record) {
        return ((record >> blockShift) + 1) << blockShift;
    }

    /** The block of a record. */
    private long[] block(long record) throws LagbenchException {
        if (record < 0 || record >= readable) {
            throw new IndexOutOfBoundsException("record " + record + " of " + readable + " in " + path);
        }
        long number = record >> blockShift;
        int place = (int) number & (BLOCKS - 1);
        if (held[place] != number) {
            load(number, place);
        }
        return blocks[place];
    }

    private void load(long number, int place) throws LagbenchException {
        long first = number << blockShift;
        int longs = (int) Math.min(1L << blockShift, readable - first) * recordLongs;
        held[place] = -1;
        buffer.clear().limit(longs * Long.BYTES);
        try {
            readFully(channel, buffer, CaptureFormat.HEADER_BYTES + first * recordLongs * Long.BYTES);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES, "The capture " + path + " cannot be read: " + IoErrors.reason(e) + ".", e);
        }
        if (buffer.hasRemaining()) {
            throw new LagbenchException(ExitCode.FILES, "The capture " + path + " was cut short while it was read.");
        }
        if (blocks[place].length == 0) {
            blocks[place] = new long[recordLongs << blockShift];
        }
        numbers.get(0, blocks[place], 0, longs);
        held[place] = number;
    }

    /** Reads until the buffer is full or the file ends. */
    private static void readFully(FileChannel channel, ByteBuffer buffer, long position) throws IOException {
        long at = position;
        while (buffer.hasRemaining()) {
            int read = channel.read(buffer, at);
            if (read < 0) {
                return;
            }
            at += read;
        }
    }

    private static void closeAfter(Exception failure, @Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }
}
