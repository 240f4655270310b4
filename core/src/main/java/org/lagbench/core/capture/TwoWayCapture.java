package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stamps of two-way exchanges: {@code seq, sent_ns, received_ns, replied_ns, returned_ns}. Sent and returned are by
 * the sender's clock, received and replied by the receiver's, all CLOCK_REALTIME in ns. They are the kernels' stamps of
 * datagrams, or the programs' of messages over the control connection. The file is valid after each {@link #append},
 * until a write fails: a run is complete without this file. Not thread-safe.
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

    /** Appends the stamps of an exchange, unless a write has failed. */
    public void append(long sentNs, long receivedNs, long repliedNs, long returnedNs) {
        file.appendUnlessFailed(file.records(), sentNs, receivedNs, repliedNs, returnedNs);
    }

    /** Removes all exchanges. */
    public void clear() {
        try {
            file.clear();
        } catch (IOException e) {
            file.fail(e);
        }
    }

    /** Returns why the file could not be written; null if every write succeeded. */
    public @Nullable IOException failure() {
        return file.failure();
    }

    public long records() {
        return file.records();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
