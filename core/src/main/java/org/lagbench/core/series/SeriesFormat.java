package org.lagbench.core.series;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The files of series: NumPy's {@code .npy}, version 1.0, with a header of fixed length and records {@code (at, value,
 * state)}. At is in ns since the epoch, and never 0 in a written record.
 */
final class SeriesFormat {
    static final int HEADER_BYTES = 256;
    static final int RECORD_BYTES = Long.BYTES + Double.BYTES + Long.BYTES;

    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    private static final String BEGIN =
            "{'descr': [('at', '<i8'), ('value', '<f8'), ('state', '<i8')], 'fortran_order': False, 'shape': (";

    private SeriesFormat() {}

    /** Returns the header of a file with this many records. */
    static ByteBuffer header(long records) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.put(MAGIC).putShort((short) (HEADER_BYTES - MAGIC.length - Short.BYTES));
        header.put((BEGIN + records + ",), }").getBytes(StandardCharsets.US_ASCII));
        while (header.remaining() > 1) {
            header.put((byte) ' ');
        }
        return header.put((byte) '\n').flip();
    }

    /** Returns whether a file begins like one of this format; a header may state fewer records than were written. */
    static boolean isHeader(ByteBuffer start) {
        ByteBuffer expected = header(0);
        int same = MAGIC.length + Short.BYTES + BEGIN.length();
        return start.remaining() >= HEADER_BYTES
                && start.slice(0, same).equals(expected.slice(0, same))
                && start.get(HEADER_BYTES - 1) == '\n';
    }
}
