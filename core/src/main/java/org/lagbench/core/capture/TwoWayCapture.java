package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The stamps of two-way exchanges over the control connection: {@code seq, sent_ns, received_ns, replied_ns,
 * returned_ns}. Sent and returned are by the sender's clock, received and replied by the receiver's, all CLOCK_REALTIME
 * in ns. The file is valid after each {@link #append}. Not thread-safe.
 */
public final class TwoWayCapture implements AutoCloseable {
    public static final String FILE_NAME = "two-way.npy";

    public static final List<String> FIELDS = List.of("seq", "sent_ns", "received_ns", "replied_ns", "returned_ns");

    private final GrowingCapture file;

    private TwoWayCapture(GrowingCapture file) {
        this.file = file;
    }

    /** Creates an empty file. */
    public static TwoWayCapture create(Path path) throws IOException {
        return new TwoWayCapture(GrowingCapture.create(path, FIELDS));
    }

    public void append(long sentNs, long receivedNs, long repliedNs, long returnedNs) throws IOException {
        file.append(file.records(), sentNs, receivedNs, repliedNs, returnedNs);
    }

    /** Removes all exchanges. */
    public void clear() throws IOException {
        file.clear();
    }

    public long records() {
        return file.records();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
