package org.lagbench.web;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The records of a series, each with the forecast that was made before it. The records are in a mapped file without a
 * name, {@value #RECORD_BYTES} bytes each. Only the figures of {@link TrackBlocks} are on the heap. One thread writes,
 * any thread reads.
 */
final class Track implements AutoCloseable {
    static final int RECORD_BYTES = 32;

    private static final int RECORDS_PER_PART = 1 << 16;
    private static final int VALUE = 8;
    private static final int FORECAST = 16;
    private static final int HALF_WIDTH = 24;
    private static final int STATE = 28;
    private static final int FORECASTER = 30;

    private final FileChannel file;
    private final List<MappedByteBuffer> parts = new CopyOnWriteArrayList<>();
    private final TrackBlocks blocks = new TrackBlocks();
    private volatile int size;
    private volatile int forecastSize;

    /**
     * Creates an empty track.
     *
     * @param directory of its file, which is deleted when the track is closed
     */
    Track(Path directory) throws IOException {
        Path path = Files.createTempFile(directory, ".live-", ".tmp");
        file = FileChannel.open(
                path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** Adds a record, which is later than all before, without a forecast. */
    void add(long atNs, double value, int state) throws IOException {
        int index = size;
        if (index % RECORDS_PER_PART == 0) {
            long bytes = (long) RECORDS_PER_PART * RECORD_BYTES;
            MappedByteBuffer part = file.map(FileChannel.MapMode.READ_WRITE, parts.size() * bytes, bytes);
            part.order(ByteOrder.nativeOrder());
            parts.add(part);
        }
        MappedByteBuffer part = part(index);
        int at = offset(index);
        part.putLong(at, atNs);
        part.putDouble(at + VALUE, value);
        part.putDouble(at + FORECAST, Double.NaN);
        part.putFloat(at + HALF_WIDTH, Float.NaN);
        part.putShort(at + STATE, (short) state);
        part.putShort(at + FORECASTER, (short) -1);
        blocks.add(index, value);
        size = index + 1;
    }

    /** Sets the forecast that was made for a record. The records must get their forecasts in order. */
    void setForecast(int index, double forecast, double halfWidth, int forecaster) {
        MappedByteBuffer part = part(index);
        int at = offset(index);
        part.putFloat(at + HALF_WIDTH, (float) halfWidth);
        part.putShort(at + FORECASTER, (short) forecaster);
        part.putDouble(at + FORECAST, forecast);
        blocks.addForecast(index, forecast, (float) halfWidth, forecaster);
        forecastSize = index + 1;
    }

    TrackBlocks blocks() {
        return blocks;
    }

    /** Returns the number of records up to and including the last one with a forecast. */
    int forecastSize() {
        return forecastSize;
    }

    int size() {
        return size;
    }

    /** Returns the time of a record, in ns since the epoch. */
    long atNs(int index) {
        return part(index).getLong(offset(index));
    }

    /** Returns the value of a record; NaN if it is missing. */
    double value(int index) {
        return part(index).getDouble(offset(index) + VALUE);
    }

    /** Returns the forecast made before a record; NaN if there was none. */
    double forecast(int index) {
        return part(index).getDouble(offset(index) + FORECAST);
    }

    double halfWidth(int index) {
        return part(index).getFloat(offset(index) + HALF_WIDTH);
    }

    int state(int index) {
        return part(index).getShort(offset(index) + STATE);
    }

    /** Returns the number of the forecaster; negative if there was none. */
    int forecaster(int index) {
        return part(index).getShort(offset(index) + FORECASTER);
    }

    /** Returns the index of the first record at this time or later. */
    int firstFrom(long atNs) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (atNs(middle) < atNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private MappedByteBuffer part(int index) {
        return parts.get(index / RECORDS_PER_PART);
    }

    private static int offset(int index) {
        return index % RECORDS_PER_PART * RECORD_BYTES;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
