package org.lagbench.core.timeseries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;

/** The series of a session, which one thread records. Any thread reads their files. */
public final class SeriesStore implements AutoCloseable {
    private final Map<SeriesInfo, SeriesWriter> writers = new LinkedHashMap<>();

    /** Opens the series of a session, which continue after their last records. */
    public SeriesStore(Path session, List<SeriesInfo> series) throws LagbenchException {
        for (SeriesInfo one : series) {
            writers.put(one, new SeriesWriter(session, one.name()));
        }
    }

    /** Returns the time of the last record of a series in ns since the epoch; 0 if there is none. */
    public synchronized long lastNs(SeriesInfo one) {
        return writer(one).lastNs();
    }

    /** Records a value, unless the series already has one for this time or a later one. */
    public synchronized void record(SeriesInfo one, long atNs, double value, int state) throws LagbenchException {
        if (atNs > lastNs(one)) {
            writer(one).append(atNs, value, state);
        }
    }

    private SeriesWriter writer(SeriesInfo one) {
        return Objects.requireNonNull(writers.get(one), one.name());
    }

    /** Returns the series of the session, in the order in which they are shown. */
    public List<SeriesInfo> series() {
        return List.copyOf(writers.keySet());
    }

    @Override
    public synchronized void close() throws LagbenchException {
        for (SeriesWriter writer : writers.values()) {
            writer.close();
        }
    }

    /**
     * Appends the records of one series, to a new file each day (UTC). The file is valid after each record, and a
     * process killed at any instant loses no record that {@link #append} has returned. A file that is closed has a
     * checksum. Not thread-safe: neither one writer, nor two writers of one session.
     */
    public static final class SeriesWriter implements AutoCloseable {
        private final Path session;
        private final String series;
        private @Nullable LocalDate day;
        private @Nullable GrowingCapture file;
        private String name = "";
        private long lastNs;

        /** Opens a series, which continues after its last record. */
        public SeriesWriter(Path session, String series) throws LagbenchException {
            this.session = session;
            this.series = series;
            List<Path> files = SeriesFiles.of(session, series);
            try {
                Files.createDirectories(session.resolve(SeriesFiles.DIRECTORY));
                if (!files.isEmpty()) {
                    openFile(files.get(files.size() - 1)); // removes an incomplete record at the end
                    close();
                }
            } catch (IOException e) {
                throw IoErrors.toException("The series " + series + " cannot be continued in " + session, e);
            }
            // the last day's file has no record if its first one was incomplete
            for (Path recent : files.subList(Math.max(0, files.size() - 2), files.size())) {
                SeriesFiles.read(recent, 0, Long.MAX_VALUE, (atNs, value, state) -> lastNs = atNs);
            }
        }

        /** Opens the file of a day, or creates it. */
        private void openFile(Path path) throws IOException, LagbenchException {
            name = String.valueOf(path.getFileName());
            Checksums.remove(session.resolve(SeriesFiles.DIRECTORY), name);
            try {
                file = GrowingCapture.open(path, SeriesFiles.FIELDS);
            } catch (IllegalArgumentException e) {
                throw ExitCode.FILES.failure(
                        path + " is not the file of a series; move it away to continue the session.", e);
            }
        }

        /** Returns the time of the last record in ns since the epoch; 0 if there is none. */
        public long lastNs() {
            return lastNs;
        }

        /**
         * Appends a record.
         *
         * @param atNs its time in ns since the epoch, after that of the record before it
         * @param value ignored unless the state is {@link SeriesFiles.SeriesState#OK}: a record without a value has NaN
         */
        public void append(long atNs, double value, int state) throws LagbenchException {
            if (atNs <= lastNs) {
                throw new IllegalArgumentException(series + ": " + atNs + " is not after " + lastNs);
            }
            LocalDate today = SeriesFiles.dayOf(atNs);
            try {
                if (file == null || !today.equals(day)) {
                    close();
                    openFile(SeriesFiles.file(session, series, today));
                    day = today;
                }
                double kept = state == SeriesFiles.SeriesState.OK ? value : Double.NaN;
                Objects.requireNonNull(file).append(atNs, Double.doubleToRawLongBits(kept), state);
                lastNs = atNs;
            } catch (IOException e) {
                throw IoErrors.toException("The series " + series + " cannot be written in " + session, e);
            }
        }

        @Override
        public void close() throws LagbenchException {
            try {
                if (file != null) {
                    file.close();
                    file = null;
                    Checksums.add(session.resolve(SeriesFiles.DIRECTORY), List.of(name));
                }
            } catch (IOException e) {
                throw IoErrors.toException("The series " + series + " cannot be closed in " + session, e);
            }
        }
    }
}
