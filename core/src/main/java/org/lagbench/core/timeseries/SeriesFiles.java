package org.lagbench.core.timeseries;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureFormat;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/**
 * The files of the series of a session: {@code series/<name>.<day>.npy}, a file for each day (UTC). Their format is
 * NumPy's, version 1.0, with a header of fixed length and records {@code (at, value, state)}. At is in ns since the
 * epoch, and never 0 in a written record.
 */
public final class SeriesFiles {
    /** The directory of the files in a session directory. */
    public static final String DIRECTORY = "series";

    private static final int BUFFER_BYTES = 1 << 16;
    private static final String SUFFIX = ".npy";

    static final List<String> FIELDS = List.of("at", "value" + CaptureFormat.DOUBLE, "state");

    private static final CaptureFormat FORMAT = new CaptureFormat(FIELDS, 0);
    private static final int HEADER_BYTES = FORMAT.headerBytes();
    private static final int RECORD_BYTES = FORMAT.recordBytes();

    private SeriesFiles() {}

    static LocalDate dayOf(long atNs) {
        return LocalDate.ofInstant(Instant.EPOCH.plusNanos(atNs), ZoneOffset.UTC);
    }

    static Path file(Path session, String series, LocalDate day) {
        return session.resolve(DIRECTORY).resolve(series + "." + day + SUFFIX);
    }

    /** Returns the files of a series by day; none if it has no records. */
    public static List<Path> of(Path session, String series) throws LagbenchException {
        Path directory = session.resolve(DIRECTORY);
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        Pattern name = Pattern.compile(Pattern.quote(series) + "\\.\\d{4}-\\d\\d-\\d\\d" + Pattern.quote(SUFFIX));
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file ->
                            name.matcher(String.valueOf(file.getFileName())).matches())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw IoErrors.toException(directory + " cannot be read", e);
        }
    }

    /**
     * Reads the records of a time range, also while they are being written. Memory does not grow with their number.
     *
     * @param fromNs the first time in ns since the epoch
     * @param untilNs the time after the last one
     * @throws LagbenchException with {@link ExitCode#FILES} if a file cannot be read or is not of a series
     */
    public static void read(Path session, String series, long fromNs, long untilNs, RecordConsumer consumer)
            throws LagbenchException {
        Path first = file(session, series, dayOf(Math.max(0, fromNs)));
        for (Path file : of(session, series)) {
            if (file.compareTo(first) >= 0) {
                read(file, fromNs, untilNs, consumer);
            }
        }
    }

    static void read(Path file, long fromNs, long untilNs, RecordConsumer consumer) throws LagbenchException {
        byte[] bytes = new byte[RECORD_BYTES];
        ByteBuffer record = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES))) {
            byte[] header = in.readNBytes(HEADER_BYTES);
            if (header.length < HEADER_BYTES) {
                return; // the process that created the file was killed before it wrote a record
            } else if (!FORMAT.isBegin(ByteBuffer.wrap(header))) {
                throw ExitCode.FILES.failure(file + " is not the file of a series.");
            }
            while (true) {
                in.readFully(bytes);
                long atNs = record.getLong(0);
                if (atNs == 0 || atNs >= untilNs) {
                    return;
                } else if (atNs >= fromNs) {
                    consumer.accept(
                            atNs, record.getDouble(Long.BYTES), (int) record.getLong(Long.BYTES + Double.BYTES));
                }
            }
        } catch (EOFException e) {
            return; // the last record, or a part of one that is being written
        } catch (IOException e) {
            throw IoErrors.toException(file + " cannot be read", e);
        }
    }

    /** Returns the error of a file that no program writes: {@code ends within a record}; null if nothing is. */
    public static @Nullable String fault(Path file) throws LagbenchException {
        try {
            long bytes = Files.size(file);
            if (bytes < HEADER_BYTES || (bytes - HEADER_BYTES) % RECORD_BYTES != 0) {
                return bytes < HEADER_BYTES ? "ends within its header" : "ends within a record";
            }
        } catch (IOException e) {
            throw IoErrors.toException(file + " cannot be read", e);
        }
        String name = String.valueOf(file.getFileName());
        long[] lastNs = {0};
        String[] fault = {null};
        read(file, Long.MIN_VALUE, Long.MAX_VALUE, (atNs, value, state) -> {
            if (atNs <= lastNs[0] || !name.endsWith("." + dayOf(atNs) + SUFFIX)) {
                fault[0] = "has a record whose time is not after the one before, or not of its day";
            } else if (Double.isNaN(value) != (state != SeriesState.OK)) {
                fault[0] = "has a value in a record whose state is not ok, or none where it is";
            }
            lastNs[0] = atNs;
        });
        return fault[0];
    }

    /** Receives the records of a series, oldest first. */
    @FunctionalInterface
    public interface RecordConsumer {
        /**
         * Receives a record.
         *
         * @param atNs when its probe was due, in ns since the epoch
         * @param value NaN unless the state is {@link SeriesState#OK}
         * @param state a state of {@link SeriesState}, or the exit code of a failed probe
         */
        void accept(long atNs, double value, int state);
    }

    /**
     * The states of a record. A record without a value says why: a negative state of this class, or the
     * {@linkplain ExitCode#code() exit code} that the failed probe would have had as a program.
     */
    public static final class SeriesState {
        /** The value was measured. */
        public static final int OK = 0;

        /** The probe was not executed: the monitor did not run, or was still sending other probes. */
        public static final int MISSED = -1;

        /** The probe ran, but has no such value: every packet was lost. */
        public static final int NO_VALUE = -2;

        /** The probe completed, but the clock was set or the host was suspended during it, so its stamps are wrong. */
        public static final int CLOCK_STEP = -3;

        private SeriesState() {}

        /** Returns a state in a word. */
        public static String text(int state) {
            return switch (state) {
                case OK -> "ok";
                case MISSED -> "missed";
                case NO_VALUE -> "no-value";
                case CLOCK_STEP -> "clock-step";
                default ->
                    "failed-"
                            + ExitCode.ofProcess(state)
                                    .name()
                                    .toLowerCase(Locale.ROOT)
                                    .replace('_', '-');
            };
        }
    }
}
