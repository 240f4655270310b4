package org.lagbench.analysis.forecast;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.commons.math3.util.ResizableDoubleArray;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;

/** A file with a series: NumPy's {@code .npy}, which its first bytes show, else comma-separated values. */
public final class SeriesFile {
    /** The file name that stands for the standard input. */
    public static final String STANDARD_INPUT = "-";

    private static final int BUFFER_BYTES = 1 << 16;

    /** The largest absolute value of a value or a time: sums of squares of any number of these are finite. */
    private static final double MAXIMUM = 1e100;

    private SeriesFile() {}

    /** Receives the values of a series in order. */
    @FunctionalInterface
    public interface ValueConsumer {
        /**
         * Receives a value.
         *
         * @param time its time in the file's unit, or in s since 1970 where the file has dates; its number from 1 if
         *     the file has no times. Times never decrease.
         * @param value NaN if it is missing
         * @throws LagbenchException if the consumer cannot use it; reading ends
         */
        void accept(double time, double value) throws LagbenchException;
    }

    /**
     * Reads a series value by value. The file is read once, and never kept in memory.
     *
     * @param file its path, or {@value #STANDARD_INPUT}
     * @throws LagbenchException with {@link ExitCode#FILES}, the file and the line, if it cannot be read or has no such
     *     series; with {@link ExitCode#USAGE} if the columns are not in the file
     */
    public static void read(String file, SeriesColumns columns, ValueConsumer consumer) throws LagbenchException {
        String name = file.equals(STANDARD_INPUT) ? "The standard input" : file;
        if (!file.equals(STANDARD_INPUT)) {
            FileTree.requireFile(Path.of(file), file, "name a file, or " + STANDARD_INPUT + " for the standard input");
        }
        try (InputStream in = new BufferedInputStream(
                file.equals(STANDARD_INPUT) ? System.in : Files.newInputStream(Path.of(file)), BUFFER_BYTES)) {
            in.mark(NpySeries.MAGIC.length);
            byte[] begin = in.readNBytes(NpySeries.MAGIC.length);
            in.reset();
            boolean isNpy = Arrays.equals(begin, NpySeries.MAGIC);
            if (!isNpy) {
                throwIfNoText(name, begin);
            }
            boolean[] hasValues = {false};
            ValueConsumer checked = (time, value) -> {
                if (Math.abs(value) > MAXIMUM || Math.abs(time) > MAXIMUM) {
                    throw ExitCode.FILES.failure(name + ": the number " + (Math.abs(value) > MAXIMUM ? value : time)
                            + " is not within ±" + MAXIMUM + "; use another unit, or leave a missing value empty.");
                }
                hasValues[0] |= !Double.isNaN(value);
                consumer.accept(time, value);
            };
            if (isNpy) {
                new NpySeries(name, in).read(columns, checked);
            } else {
                new CsvSeries(name, in).read(columns, checked);
            }
            if (!hasValues[0]) {
                throw ExitCode.FILES.failure(name + " has no values.");
            }
        } catch (IOException e) {
            throw IoErrors.toException(name + " cannot be read", e);
        }
    }

    /** Throws an exception that names the format if a file begins as a known one that is no text in UTF-8. */
    private static void throwIfNoText(String name, byte[] begin) throws LagbenchException {
        String format = null;
        if (startsWith(begin, 0x1f, 0x8b)) {
            format = "compressed by gzip; decompress it first: gunzip -c FILE | lagbench forecast -";
        } else if (startsWith(begin, 'P', 'K', 3, 4)) {
            format = "a ZIP archive, as NumPy's .npz or a spreadsheet; extract an .npy file, or export it as CSV";
        } else if (startsWith(begin, 0xff, 0xfe) || startsWith(begin, 0xfe, 0xff)) {
            format = "text in UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 FILE";
        } else {
            for (byte one : begin) {
                format = one == 0 ? "binary or in UTF-16; convert it to CSV in UTF-8" : format;
            }
        }
        if (format != null) {
            throw ExitCode.FILES.failure(name + " is " + format + ".");
        }
    }

    private static boolean startsWith(byte[] begin, int... magic) {
        for (int i = 0; i < magic.length; i++) {
            if (i >= begin.length || Byte.toUnsignedInt(begin[i]) != magic[i]) {
                return false;
            }
        }
        return true;
    }

    /** Reads a whole series. */
    public static TimedSeries read(String file, SeriesColumns columns) throws LagbenchException {
        ResizableDoubleArray times = new ResizableDoubleArray();
        ResizableDoubleArray values = new ResizableDoubleArray();
        read(file, columns, (time, value) -> {
            times.addElement(time);
            values.addElement(value);
        });
        return new TimedSeries(file, times.getElements(), values.getElements());
    }

    /**
     * A series in memory.
     *
     * @param name its origin
     * @param times one for each value, never decreasing
     * @param values NaN where missing
     */
    @SuppressWarnings("ArrayRecordComponent") // millions of numbers, never compared
    public record TimedSeries(String name, double[] times, double[] values) {
        /** Returns the number of values, missing ones included. */
        public int size() {
            return values.length;
        }
    }
}
