package org.lagbench.packetio.socket;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lagbench.core.failure.IoErrors;

/** The kernel's metadata of a socket, kept after the socket is closed. Thread-safe. */
public final class SocketMetadata {
    private final Reader reader;
    private Map<String, Object> last = Map.of();
    private boolean closed;

    /** Reads the metadata from the kernel. */
    @FunctionalInterface
    public interface Reader {
        /** Adds the metadata, with names that have units. */
        void read(Map<String, Object> metadata) throws IOException;
    }

    public SocketMetadata(Reader reader) {
        this.reader = reader;
    }

    /** Returns the current metadata; after {@link #keep}, the metadata that it read. */
    public synchronized Map<String, Object> get() {
        if (!closed) {
            Map<String, Object> metadata = new LinkedHashMap<>();
            try {
                reader.read(metadata);
            } catch (IOException e) {
                metadata.put("factsFailure", "the kernel reports no more metadata: " + IoErrors.reason(e));
            }
            last = metadata;
        }
        return last;
    }

    /** Reads the metadata for the last time, before the socket is closed. May be called more than once. */
    public synchronized void keep() {
        if (!closed) {
            last = get();
            closed = true;
        }
    }
}
