package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.FileTrouble;
import org.lagbench.core.failure.LagbenchException;

/**
 * Reads a capture, whatever became of the process that wrote it: one that was closed, one whose writer was killed (the
 * file then ends in room never written), one that was cut off somewhere (its whole records are read).
 *
 * <p>Holds one window of {@value #WINDOW_BYTES} bytes however long the capture is, filled by positional reads: walking
 * forward or backward, or hopping about within a window, costs no system call a value. The file is never mapped, so that a
 * capture that is cut short while being read is an exception and not a dead process. Not thread-safe; open a reader
 * a thread. {@link #value} and {@link #read} allocate nothing.
 */
public final class CaptureReader implements AutoCloseable {
    static final int WINDOW_BYTES = 1 << 18;

    private static final String SEQUENCE = "seq";

    /** The fields that are put last, a capture has its by the first of these; 0 in a record that was never written. */
    private static final List<String> STAMPS = List.of("sent_ns", "received_ns", "at_ns", "kernel_ns", "start_ns");

    private final Path path;
    private final FileChannel channel;
    private final List<String> fields;
    private final int recordBytes;
    private final int windowRecords;
    private final ByteBuffer window;
    private final long records;
    private final boolean unfinished;

    /** The records in the window: from the first, so many. */
    private long windowFirst;

    private int windowCount;

    /** The records that may be read: all the file has room for until the end is found. */
    private long readable;

    private CaptureReader(Path path, FileChannel channel, CaptureFormat format, long room) throws LagbenchException {
        this.path = path;
        this.channel = channel;
        this.fields = format.fields();
        this.recordBytes = format.recordBytes();
        this.windowRecords = WINDOW_BYTES / recordBytes;
        this.window = ByteBuffer.allocateDirect(windowRecords * recordBytes).order(ByteOrder.LITTLE_ENDIAN);
        this.readable = Math.min(room, format.records());
        this.records = writtenRecords();
        this.unfinished = records < format.records();
        this.readable = records;
        this.windowCount = 0;
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
                    ExitCode.FILES, "The capture " + path + " cannot be read: " + FileTrouble.reason(e) + ".", e);
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
        return window.getLong(indexInWindow(record) + field * Long.BYTES);
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
            if (!isInWindow(first + done)) {
                load(first + done, false);
            }
            int from = (int) (first + done - windowFirst) * recordBytes + field * Long.BYTES;
            int there = (int) Math.min(count - done, windowFirst + windowCount - (first + done));
            for (int i = 0; i < there; i++) {
                values[done + i] = window.getLong(from + i * recordBytes);
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
            throw new LagbenchException(
                    ExitCode.FILES, "Closing " + path + " failed: " + FileTrouble.reason(e) + ".", e);
        }
    }

    /**
     * Where the records end. They are written without gaps, so that the first that is not written is found by bisection;
     * in a capture that was closed the last record tells at once.
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

    private int indexInWindow(long record) throws LagbenchException {
        if (!isInWindow(record)) {
            load(record, record < windowFirst);
        }
        return (int) (record - windowFirst) * recordBytes;
    }

    private boolean isInWindow(long record) {
        return record >= windowFirst && record < windowFirst + windowCount;
    }

    /** Fills the window with the records from one on or, if a walk goes backward, with those up to it. */
    private void load(long record, boolean backward) throws LagbenchException {
        if (record < 0 || record >= readable) {
            throw new IndexOutOfBoundsException("record " + record + " of " + readable + " in " + path);
        }
        long first = backward ? Math.max(0, record - windowRecords + 1) : record;
        int count = (int) Math.min(windowRecords, readable - first);
        windowCount = 0;
        window.clear().limit(count * recordBytes);
        try {
            readFully(channel, window, CaptureFormat.HEADER_BYTES + first * recordBytes);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES, "The capture " + path + " cannot be read: " + FileTrouble.reason(e) + ".", e);
        }
        if (window.hasRemaining()) {
            throw new LagbenchException(ExitCode.FILES, "The capture " + path + " was cut short while it was read.");
        }
        windowFirst = first;
        windowCount = count;
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
