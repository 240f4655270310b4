package org.lagbench.core.capture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A NumPy {@code .npy} file (format version 1.0) of fixed-size little-endian records, every field a signed 64-bit
 * integer. The header is always {@link #HEADER_BYTES} long, so that the number of records can be updated in place.
 *
 * @param fields names of the fields, in order
 * @param records the number of records in the header
 */
public record CaptureFormat(List<String> fields, long records) {
    /** Length of the header, including the magic bytes. */
    public static final int HEADER_BYTES = 256;

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    private static final int PREFIX_BYTES = MAGIC.length + Short.BYTES;
    private static final Pattern FIELD = Pattern.compile("\\('([A-Za-z_][A-Za-z0-9_]*)', '([^']*)'\\)");
    private static final Pattern TEXT = Pattern.compile("\\{'descr': \\[(" + FIELD + "(?:, " + FIELD
            + ")*)], 'fortran_order': False, 'shape': \\((\\d{1,18}),\\), } *\n");

    public CaptureFormat {
        fields = List.copyOf(fields);
    }

    public int recordBytes() {
        return fields.size() * Long.BYTES;
    }

    /** Returns the header, {@link #HEADER_BYTES} long. */
    public ByteBuffer header() {
        StringBuilder text = new StringBuilder("{'descr': [");
        for (String field : fields) {
            text.append("('").append(field).append("', '<i8'), ");
        }
        text.setLength(text.length() - 2);
        text.append("], 'fortran_order': False, 'shape': (").append(records).append(",), }");
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.put(MAGIC).putShort((short) (HEADER_BYTES - PREFIX_BYTES));
        header.put(text.toString().getBytes(StandardCharsets.US_ASCII));
        while (header.remaining() > 1) {
            header.put((byte) ' ');
        }
        return header.put((byte) '\n').flip();
    }

    /**
     * Reads a header.
     *
     * @param header the file's first {@link #HEADER_BYTES} bytes
     * @throws IllegalArgumentException if it is not the header of a capture; the message says why
     */
    public static CaptureFormat parse(ByteBuffer header) {
        if (header.remaining() < HEADER_BYTES) {
            throw new IllegalArgumentException("it has only " + header.remaining() + " bytes, less than a header");
        }
        byte[] bytes = new byte[HEADER_BYTES];
        header.duplicate().get(bytes);
        if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IllegalArgumentException("it does not begin as a NumPy file, version 1.0");
        }
        int length = (bytes[MAGIC.length] & 0xff) | ((bytes[MAGIC.length + 1] & 0xff) << 8);
        String text = new String(bytes, PREFIX_BYTES, HEADER_BYTES - PREFIX_BYTES, StandardCharsets.US_ASCII);
        Matcher matcher = TEXT.matcher(text);
        if (length != text.length() || !matcher.matches()) {
            throw new IllegalArgumentException("its NumPy header does not describe records with named fields in "
                    + HEADER_BYTES + " bytes, as a capture's does");
        }
        List<String> fields = new ArrayList<>();
        Matcher field = FIELD.matcher(matcher.group(1));
        while (field.find()) {
            if (!field.group(2).equals("<i8")) {
                throw new IllegalArgumentException("its field " + field.group(1) + " is not of type <i8");
            }
            if (fields.contains(field.group(1))) {
                throw new IllegalArgumentException("it has two fields " + field.group(1));
            }
            fields.add(field.group(1));
        }
        return new CaptureFormat(fields, Long.parseLong(matcher.group(matcher.groupCount())));
    }
}
