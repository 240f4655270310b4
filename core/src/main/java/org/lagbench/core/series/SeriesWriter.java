package org.lagbench.core.series;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/** Appends the records of one series, to a new file each day (UTC). Not thread-safe. */
public final class SeriesWriter implements AutoCloseable {
    private final Path session;
    private final String series;
    private @Nullable LocalDate day;
    private @Nullable SeriesDay file;
    private long lastNs;

    private SeriesWriter(Path session, String series) {
        this.session = session;
        this.series = series;
    }

    /** Opens a series, which continues after its last record. */
    public static SeriesWriter open(Path session, String series) throws LagbenchException {
        SeriesWriter writer = new SeriesWriter(session, series);
        List<Path> files = SeriesFiles.of(session, series);
        try {
            Files.createDirectories(session.resolve(SeriesFiles.DIRECTORY));
            if (!files.isEmpty()) {
                SeriesDay.open(files.get(files.size() - 1)).close(); // removes a cut record
            }
        } catch (IOException e) {
            throw IoErrors.toException("The series " + series + " cannot be continued in " + session, e);
        }
        // the last day's file has no record if its first was cut
        for (Path recent : files.subList(Math.max(0, files.size() - 2), files.size())) {
            SeriesFiles.read(recent, 0, Long.MAX_VALUE, (atNs, value, state) -> writer.lastNs = atNs);
        }
        return writer;
    }

    /** Returns the time of the last record in ns since the epoch; 0 if there is none. */
    public long lastNs() {
        return lastNs;
    }

    /**
     * Appends a record.
     *
     * @param atNs its time in ns since the epoch, after that of the record before it
     * @param value ignored unless the state is {@link SeriesState#OK}: a record without a value has NaN
     */
    public void append(long atNs, double value, int state) throws LagbenchException {
        if (atNs <= lastNs) {
            throw new IllegalArgumentException(series + ": " + atNs + " is not after " + lastNs);
        }
        LocalDate today = SeriesFiles.dayOf(atNs);
        try {
            SeriesDay open = file;
            if (open == null || !today.equals(day)) {
                close();
                open = SeriesDay.open(SeriesFiles.file(session, series, today));
                file = open;
                day = today;
            }
            open.append(atNs, state == SeriesState.OK ? value : Double.NaN, state);
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
            }
        } catch (IOException e) {
            throw IoErrors.toException("The series " + series + " cannot be closed in " + session, e);
        }
    }
}
