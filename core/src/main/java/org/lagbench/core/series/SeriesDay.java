package org.lagbench.core.series;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The file of one series and one day (UTC), for appending. The file is valid after each record, and a process killed at
 * any instant loses no record that {@link #append} has returned. Not thread-safe.
 */
final class SeriesDay implements AutoCloseable {
    private final FileChannel channel;
    private final ByteBuffer record =
            ByteBuffer.allocateDirect(SeriesFormat.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long records;

    private SeriesDay(FileChannel channel, long records) {
        this.channel = channel;
        this.records = records;
    }

    /**
     * Opens the file, or creates it. Removes what a crash of the machine has left at its end: a part of a record, and
     * records without a time.
     *
     * @throws LagbenchException if the file is not of a series
     */
    static SeriesDay open(Path file) throws IOException, LagbenchException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            ByteBuffer header = ByteBuffer.allocate(SeriesFormat.HEADER_BYTES);
            readFully(channel, header, 0);
            boolean isCut = header.hasRemaining();
            if (!isCut && !SeriesFormat.isHeader(header.flip())) {
                throw new LagbenchException(
                        ExitCode.FILES, file + " is not the file of a series; move it away to continue the session.");
            }
            long records = isCut ? 0 : writtenRecords(channel);
            channel.truncate(SeriesFormat.HEADER_BYTES + records * SeriesFormat.RECORD_BYTES);
            SeriesDay day = new SeriesDay(channel, records);
            day.writeHeader();
            return day;
        } catch (IOException | LagbenchException e) {
            channel.close();
            throw e;
        }
    }

    private static long writtenRecords(FileChannel channel) throws IOException {
        long records = Math.max(0, channel.size() - SeriesFormat.HEADER_BYTES) / SeriesFormat.RECORD_BYTES;
        ByteBuffer at = ByteBuffer.allocate(Long.BYTES);
        while (records > 0) {
            readFully(channel, at.clear(), SeriesFormat.HEADER_BYTES + (records - 1) * SeriesFormat.RECORD_BYTES);
            if (at.getLong(0) != 0) {
                break;
            }
            records--;
        }
        return records;
    }

    private static void readFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        int read = 0;
        for (long at = position; bytes.hasRemaining() && read >= 0; at += read) {
            read = channel.read(bytes, at);
        }
    }

    void append(long atNs, double value, int state) throws IOException {
        record.clear().putLong(atNs).putDouble(value).putLong(state).flip();
        write(record, SeriesFormat.HEADER_BYTES + records * SeriesFormat.RECORD_BYTES);
        records++;
        writeHeader();
    }

    private void writeHeader() throws IOException {
        write(SeriesFormat.header(records), 0);
    }

    private void write(ByteBuffer bytes, long position) throws IOException {
        for (long at = position; bytes.hasRemaining(); ) {
            at += channel.write(bytes, at);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
