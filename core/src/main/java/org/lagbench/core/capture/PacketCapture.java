package org.lagbench.core.capture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;

/**
 * The common part of both sides' captures: a file with a fixed capacity, to which one record per packet is appended.
 */
abstract class PacketCapture implements AutoCloseable {
    /** The stamp of a record that is not yet written, or being overwritten. */
    static final long NOT_WRITTEN = 0;

    private static final VarHandle RECORDS = recordsHandle();

    final CaptureFile file;
    final long capacity;
    long records;
    private final PagePretoucher pretoucher;
    private final CaptureGrowth growth;
    private boolean closed;

    PacketCapture(CaptureFile file, long capacity) {
        this.file = file;
        this.capacity = capacity;
        this.pretoucher =
                new PagePretoucher(file::touch, () -> (long) RECORDS.getOpaque(this), PagePretoucher.FIRST_LOOK_MS);
        this.growth = new CaptureGrowth(file, () -> (long) RECORDS.getOpaque(this));
    }

    private static VarHandle recordsHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(PacketCapture.class, "records", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Counts the records that another process has appended, after it stopped. They are in order, so bisection finds
     * their end. From then on the file does not grow here: the zeros of new disk blocks would overwrite records for
     * which that process has made room itself. The first field is negative in the record of an unrecorded packet.
     *
     * @param stamp the field that is 0 until a record is written
     */
    final void recoverRecordCount(int stamp) {
        growth.close();
        long unknown = closed ? records : capacity;
        try {
            while (records < unknown) {
                long probe = records + (unknown - records) / 2;
                if (file.get(probe, stamp) != NOT_WRITTEN && file.get(probe, 0) >= 0) {
                    records = probe + 1;
                } else {
                    unknown = probe;
                }
            }
        } catch (IOException e) {
            file.fail(e);
        }
    }

    /**
     * Appends a record of three fields or two, whose first field is negative if it is unrecorded. Such a record takes
     * the same path without a branch, but leaves zeros where the next one will be.
     *
     * @param stampField the field of the stamp, which marks a record as written
     * @param otherField the other field; 0 if there is none
     * @return whether it fitted
     */
    final boolean append(long first, int stampField, long stamp, int otherField, long other) {
        long record = records;
        if (record >= capacity) {
            return false;
        }
        MappedByteBuffer mapping = file.mapping(record);
        int at = file.offset(record);
        long recorded = ~(first >> 63);
        CaptureFile.putOrdered(mapping, at, stampField, NOT_WRITTEN);
        CaptureFile.put(mapping, at, 0, first & recorded);
        if (otherField > 0) {
            CaptureFile.put(mapping, at, otherField, other & recorded);
        }
        CaptureFile.putOrdered(mapping, at, stampField, stamp & recorded);
        records = record + 1 + (first >> 63);
        return true;
    }

    /** Returns the file's path. */
    public final Path path() {
        return file.path();
    }

    /** Returns the number of records for which there is room. */
    public final long capacity() {
        return capacity;
    }

    /** Returns why records could not be written; null if all were written so far. */
    public final @Nullable IOException failure() {
        return file.failure();
    }

    /**
     * Records why another process that writes this capture failed, so that {@link #close} throws it. For any thread.
     *
     * @return the failure as a sentence
     */
    public final String fail(IOException why) {
        return "The capture cannot be written: " + IoErrors.reason(file.fail(why)) + ".";
    }

    /** Returns, as a clause, why a thread that writes this capture failed with an unchecked exception. */
    public final String explain(Throwable failed) {
        if (failed instanceof InternalError) { // the JVM's signal of a fault in a mapping
            return "the capture " + file.path() + " cannot be written: it was truncated, or its disk failed";
        }
        return failed instanceof UncheckedIOException && failed.getCause() instanceof IOException cause
                ? "the capture cannot be written: " + IoErrors.reason(cause)
                : "an error in lagbench, please report it: " + failed;
    }

    public final long records() {
        return records;
    }

    /** Truncates the file to the appended records and closes it. */
    @Override
    public final void close() throws IOException {
        if (!closed) {
            closed = true;
            pretoucher.close();
            growth.close();
            file.close(records);
        }
    }
}
