package org.lagbench.analysis.forecast;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.forecast.SeriesColumns.Found;
import org.lagbench.analysis.forecast.SeriesFile.ValueConsumer;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * A series in a NumPy file, format versions 1 to 3: numbers in one dimension, in the columns of two, or in the named
 * fields of records. Numbers are integers, floats of 4 or 8 bytes, or dates ({@code datetime64}) in their unit.
 */
record NpySeries(String file, InputStream in) {
    static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

    private static final int BLOCK_BYTES = 1 << 16;
    private static final int MAX_HEADER = 1 << 20;

    /** Its repeated group is possessive: another would need stack memory for each field. */
    private static final Pattern DESCRIPTION =
            Pattern.compile("'descr':\\s*(?:'([^']*)'|\\[((?:\\('[^']*', '[^']*'\\)(?:, )?)++)])");

    private static final Pattern FIELD = Pattern.compile("\\('([^']*)', '([^']*)'\\)");
    private static final Pattern SHAPE = Pattern.compile("'shape':\\s*\\((\\d{1,18}),\\s*(?:(\\d{1,6}),?\\s*)?\\)");
    private static final Pattern TYPE = Pattern.compile("([<>|=])(?:(f[48]|[iu][1248])|M8\\[[^]]*])");

    /** A number in each record. */
    private record Field(int offset, ByteOrder order, char type, int bytes) {
        double read(ByteBuffer records, int at) {
            records.order(order);
            int from = at + offset;
            if (type == 'f') {
                return bytes == Double.BYTES ? records.getDouble(from) : records.getFloat(from);
            }
            long value =
                    switch (bytes) {
                        case Long.BYTES -> records.getLong(from);
                        case Integer.BYTES -> records.getInt(from);
                        case Short.BYTES -> records.getShort(from);
                        default -> records.get(from);
                    };
            if (type == 'i') {
                return value;
            }
            return bytes < Long.BYTES
                    ? value & ((1L << (bytes * Byte.SIZE)) - 1)
                    : value >= 0 ? value : 2.0 * (value >>> 1) + (value & 1);
        }
    }

    void read(SeriesColumns columns, ValueConsumer consumer) throws LagbenchException, IOException {
        String header = header();
        Matcher description = DESCRIPTION.matcher(header);
        Matcher shape = SHAPE.matcher(header);
        if (!description.find() || !shape.find()) {
            throw failure("the header does not describe numbers in one or two dimensions");
        }
        int width = shape.group(2) == null ? 1 : Integer.parseInt(shape.group(2));
        if (width > 1 && header.contains("'fortran_order': True")) {
            throw failure("the columns are not in C order; save numpy.ascontiguousarray(…)");
        }
        List<String> names = new ArrayList<>();
        List<Field> numbers = new ArrayList<>();
        String type = description.group(1);
        if (type != null) {
            names.addAll(Collections.nCopies(width, ""));
            for (int i = 0; i < width; i++) {
                add(numbers, type);
            }
        } else if (shape.group(2) != null) {
            throw failure("records in two dimensions are not supported; save an array with one dimension");
        } else {
            Matcher field = FIELD.matcher(description.group(2));
            while (field.find()) {
                names.add(field.group(1));
                add(numbers, field.group(2));
            }
        }
        Found found = columns.find(file, names);
        Field last = numbers.get(numbers.size() - 1);
        read(
                Long.parseLong(shape.group(1)),
                last.offset() + last.bytes(),
                numbers.get(found.value()),
                found.time() == SeriesColumns.NONE ? null : numbers.get(found.time()),
                consumer);
    }

    /** Adds a field after the others. */
    private void add(List<Field> numbers, String type) throws LagbenchException {
        Matcher matcher = TYPE.matcher(type);
        if (!matcher.matches()) {
            throw failure("a field has the type " + type + ", which is not an integer or a float of 4 or 8 bytes");
        }
        String name = matcher.group(2) == null ? "i8" : matcher.group(2);
        Field last = numbers.isEmpty() ? null : numbers.get(numbers.size() - 1);
        numbers.add(new Field(
                last == null ? 0 : last.offset() + last.bytes(),
                matcher.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN,
                name.charAt(0),
                name.charAt(1) - '0'));
    }

    private void read(long records, int recordBytes, Field value, @Nullable Field time, ValueConsumer consumer)
            throws LagbenchException, IOException {
        int blockRecords = Math.max(1, BLOCK_BYTES / recordBytes);
        byte[] bytes = new byte[blockRecords * recordBytes];
        ByteBuffer block = ByteBuffer.wrap(bytes);
        double previous = Double.NEGATIVE_INFINITY;
        for (long done = 0; done < records; ) {
            int count = (int) Math.min(blockRecords, records - done);
            int read = in.readNBytes(bytes, 0, count * recordBytes);
            if (read < count * recordBytes) {
                throw failure("the file ends in record " + (done + read / recordBytes + 1) + " of " + records);
            }
            for (int i = 0; i < count; i++) {
                done++;
                double at = time == null ? done : time.read(block, i * recordBytes);
                double next = value.read(block, i * recordBytes);
                if (Double.isInfinite(next)) {
                    throw failure("the value of record " + done + " is infinite; use NaN for a missing value");
                }
                if (!(at >= previous)) {
                    throw failure("the time of record " + done + " is before that of the record above; sort by time");
                }
                previous = at;
                consumer.accept(at, next);
            }
        }
    }

    private String header() throws LagbenchException, IOException {
        byte[] start = in.readNBytes(MAGIC.length + 2);
        int version = start.length < MAGIC.length + 2 ? 0 : start[MAGIC.length];
        if (version < 1 || version > 3) {
            throw failure("the format version is not 1, 2 or 3");
        }
        byte[] length = in.readNBytes(version == 1 ? Short.BYTES : Integer.BYTES);
        long bytes = 0;
        for (int i = length.length - 1; i >= 0; i--) {
            bytes = (bytes << Byte.SIZE) | Byte.toUnsignedLong(length[i]);
        }
        if (bytes > MAX_HEADER) {
            throw failure("the header has " + bytes + " bytes");
        }
        return new String(in.readNBytes((int) bytes), StandardCharsets.UTF_8);
    }

    private LagbenchException failure(String reason) {
        return ExitCode.FILES.failure(file + ": " + reason + ".");
    }
}
