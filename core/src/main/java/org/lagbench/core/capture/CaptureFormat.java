package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A NumPy {@code .npy} file (format version 1.0) of fixed-size little-endian records, every field a signed 64-bit
 * integer, or a double if its name ends with {@value #DOUBLE}. The length of the header depends only on the fields, so
 * that the number of records can be updated in place.
 *
 * @param fields names of the fields, in order
 * @param records the number of records in the header
 */
public record CaptureFormat(List<String> fields, long records) {
    /** Length of the header of up to seven fields, including the magic bytes; longer headers are multiples of it. */
    public static final int HEADER_BYTES = 256;

    /** The end of the name of a field that is a double; the file does not have it. */
    public static final String DOUBLE = ":f8";

    /** Length of the longest header. */
    static final int MAXIMUM_HEADER_BYTES = 8 * HEADER_BYTES;

    /** The digits of the largest number of records. */
    private static final int MAXIMUM_DIGITS = 19;

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    private static final int PREFIX_BYTES = MAGIC.length + Short.BYTES;
    private static final String UNSUITABLE =
            "its NumPy header does not describe records with named fields in a multiple" + " of " + HEADER_BYTES
                    + " bytes, as a capture's does";

    /** The text after the number of records. */
    static final String SHAPE_END = ",), }";

    private static final Pattern FIELD = Pattern.compile("\\('([A-Za-z_][A-Za-z0-9_]*)', '([^']*)'\\)");
    private static final Pattern TEXT = Pattern.compile("\\{'descr': \\[(" + FIELD + "(?:, " + FIELD
            + ")*)], 'fortran_order': False, 'shape': \\((\\d{1,18}),\\), } *\n");

    public CaptureFormat {
        fields = List.copyOf(fields);
    }

    public int recordBytes() {
        return fields.size() * Long.BYTES;
    }

    /** Returns the length of the header in bytes, including the magic bytes. */
    public int headerBytes() {
        int atMost = PREFIX_BYTES + descriptor().length() + MAXIMUM_DIGITS + SHAPE_END.length() + 1;
        return (atMost + HEADER_BYTES - 1) / HEADER_BYTES * HEADER_BYTES;
    }

    /** Returns the offset of the number of records, in decimal digits, in the header. */
    public int recordsOffset() {
        return PREFIX_BYTES + descriptor().length();
    }

    private String descriptor() {
        return fields.stream()
                .map(field -> field.endsWith(DOUBLE) ? field.replace(DOUBLE, "', '<f8") : field + "', '<i8")
                .map(typed -> "('" + typed + "')")
                .collect(Collectors.joining(", ", "{'descr': [", "], 'fortran_order': False, 'shape': ("));
    }

    /** Returns the header, {@link #headerBytes} long. */
    public ByteBuffer header() {
        ByteBuffer header = ByteBuffer.allocate(headerBytes()).order(ByteOrder.LITTLE_ENDIAN);
        header.put(MAGIC).putShort((short) (header.capacity() - PREFIX_BYTES));
        header.put((descriptor() + records + SHAPE_END).getBytes(StandardCharsets.US_ASCII));
        while (header.remaining() > 1) {
            header.put((byte) ' ');
        }
        return header.put((byte) '\n').flip();
    }

    /** Returns whether a file with these fields begins like this; its header may state any number of records. */
    public boolean isBegin(ByteBuffer start) {
        return start.remaining() >= headerBytes()
                && start.slice(0, recordsOffset()).equals(header().slice(0, recordsOffset()))
                && start.get(headerBytes() - 1) == '\n';
    }

    /**
     * Reads a header.
     *
     * @param header the file's first bytes: at least {@link #HEADER_BYTES}, and the whole header
     * @throws IllegalArgumentException if it is not the header of a capture; the message says why
     */
    public static CaptureFormat parse(ByteBuffer header) {
        if (header.remaining() < HEADER_BYTES) {
            throw new IllegalArgumentException("it has only " + header.remaining() + " bytes, less than a header");
        }
        byte[] bytes = new byte[Math.min(header.remaining(), MAXIMUM_HEADER_BYTES)];
        header.duplicate().get(bytes);
        if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IllegalArgumentException("it does not begin as a NumPy file, version 1.0");
        }
        int length = (bytes[MAGIC.length] & 0xff) | ((bytes[MAGIC.length + 1] & 0xff) << 8);
        int textBytes = Math.min(length, bytes.length - PREFIX_BYTES);
        Matcher matcher = TEXT.matcher(new String(bytes, PREFIX_BYTES, textBytes, StandardCharsets.US_ASCII));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(UNSUITABLE);
        }
        List<String> fields = new ArrayList<>();
        Matcher field = FIELD.matcher(matcher.group(1));
        while (field.find()) {
            if (!CaptureFields.isDeclared(field.group(1))) {
                throw new IllegalArgumentException("its field " + field.group(1) + " is not one of a capture");
            }
            if (!field.group(2).equals("<i8")) {
                throw new IllegalArgumentException("its field " + field.group(1) + " is not of type <i8");
            }
            if (fields.contains(field.group(1))) {
                throw new IllegalArgumentException("it has the field " + field.group(1) + " twice");
            }
            fields.add(field.group(1));
        }
        CaptureFormat format = new CaptureFormat(fields, Long.parseLong(matcher.group(matcher.groupCount())));
        if (PREFIX_BYTES + length != format.headerBytes()) {
            throw new IllegalArgumentException(UNSUITABLE);
        }
        return format;
    }

    /** Writes all remaining bytes at a position of a file. */
    public static void writeFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        for (long at = position; bytes.hasRemaining(); ) {
            at += channel.write(bytes, at);
        }
    }

    /** Reads from a position of a file until the buffer is full or the file ends. */
    public static void readFully(FileChannel channel, ByteBuffer buffer, long position) throws IOException {
        int read = 0;
        for (long at = position; buffer.hasRemaining() && read >= 0; at += read) {
            read = channel.read(buffer, at);
        }
    }
}
