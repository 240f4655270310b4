package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events in the process of one side of a run: {@code cause, start_ns, end_ns, took_ns, program_0, program_8}. The
 * cause is a code, the times are CLOCK_REALTIME of that side in ns. An event may have taken only a part of the time
 * from start to end; which part is unknown. The last two fields are the {@linkplain #program name} of the program that
 * ran instead. Written at the end of the run, unordered.
 */
public final class EventsCapture {
    public static final String SENDER_FILE_NAME = "sender-events.npy";

    public static final String RECEIVER_FILE_NAME = "receiver-events.npy";

    public static final List<String> FIELDS =
            List.of("cause", "start_ns", "end_ns", "took_ns", "program_0", "program_8");

    private static final int BUFFER_RECORDS = 1 << 12;

    private EventsCapture() {}

    /** Creates the file, or replaces it. */
    public static GrowingCapture create(Path path) throws IOException {
        Files.deleteIfExists(path);
        return GrowingCapture.create(path, FIELDS, BUFFER_RECORDS);
    }

    /**
     * Returns the name of a program.
     *
     * @param program0 its bytes 0 to 7, the first in the lowest bits
     * @param program8 its bytes 8 to 15
     * @return null if no program is known: the first byte is 0
     */
    public static @Nullable String program(long program0, long program8) {
        byte[] name = ByteBuffer.allocate(2 * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(program0)
                .putLong(program8)
                .array();
        int length = 0;
        while (length < name.length && name[length] != 0) {
            length++;
        }
        return length == 0 ? null : new String(name, 0, length, StandardCharsets.UTF_8);
    }
}
