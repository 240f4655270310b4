package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * When packets first left for the driver of the sender's device, in the order of their numbers: {@code seq, left_ns}.
 * The time is CLOCK_REALTIME of the sender in ns. Packets without a stamp have no record.
 */
public final class DeparturesCapture {
    public static final String FILE_NAME = "sender-departures.npy";

    public static final List<String> FIELDS = List.of("seq", "left_ns");

    private static final int BUFFER_RECORDS = 1 << 12;

    private DeparturesCapture() {}

    /** Creates the file, or replaces it. */
    public static GrowingCapture create(Path path) throws IOException {
        Files.deleteIfExists(path);
        return GrowingCapture.create(path, FIELDS, BUFFER_RECORDS);
    }
}
