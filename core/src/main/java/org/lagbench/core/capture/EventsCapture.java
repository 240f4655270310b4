package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The events in the process of one side of a run: {@code cause, start_ns, end_ns, took_ns}. The cause is a code, the
 * times are CLOCK_REALTIME of that side in ns. An event may have taken only a part of the time from start to end; which
 * part is unknown. Written at the end of the run, unordered. Not thread-safe.
 */
public final class EventsCapture implements AutoCloseable {
    public static final String SENDER_FILE_NAME = "sender-events.npy";

    public static final String RECEIVER_FILE_NAME = "receiver-events.npy";

    public static final List<String> FIELDS = List.of("cause", "start_ns", "end_ns", "took_ns");

    private static final int BUFFER_RECORDS = 1 << 12;

    private final GrowingCapture file;

    private EventsCapture(GrowingCapture file) {
        this.file = file;
    }

    /** Creates the file, or replaces it. */
    public static EventsCapture create(Path path) throws IOException {
        Files.deleteIfExists(path);
        return new EventsCapture(GrowingCapture.create(path, FIELDS, BUFFER_RECORDS));
    }

    public void append(long cause, long startNs, long endNs, long tookNs) throws IOException {
        file.append(cause, startNs, endNs, tookNs);
    }

    /** Writes the remaining events and closes the file. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}
