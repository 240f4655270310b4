package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The stamps of questions and answers over the control connection, by which the two clocks are compared: {@code seq,
 * sent_ns, received_ns, replied_ns, returned_ns}; sent and returned by the sender's clock, received and replied by the
 * receiver's, all CLOCK_REALTIME in ns. After each {@link #append} the file is whole. Not thread-safe.
 */
public final class TwoWayCapture implements AutoCloseable {
    /** The file's name in a run's directory. */
    public static final String FILE_NAME = "two-way.npy";

    /** Names of the fields. */
    public static final List<String> FIELDS = List.of("seq", "sent_ns", "received_ns", "replied_ns", "returned_ns");

    private final GrowingCapture file;

    private TwoWayCapture(GrowingCapture file) {
        this.file = file;
    }

    /** Makes an empty file. */
    public static TwoWayCapture create(Path path) throws IOException {
        return new TwoWayCapture(GrowingCapture.create(path, FIELDS));
    }

    /** Appends one exchange. */
    public void append(long sentNs, long receivedNs, long repliedNs, long returnedNs) throws IOException {
        file.append(file.records(), sentNs, receivedNs, repliedNs, returnedNs);
    }

    /** Forgets what was appended. */
    public void clear() throws IOException {
        file.clear();
    }

    /** How many exchanges were appended. */
    public long records() {
        return file.records();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
