package org.lagbench.packetio.socket;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lagbench.core.failure.IoErrors;

/** What a kernel tells of a socket, kept beyond the socket's end. Thread-safe. */
public final class SocketMetadata {
    private final Reader reader;
    private Map<String, Object> last = Map.of();
    private boolean closed;

    /** Asks the kernel. */
    @FunctionalInterface
    public interface Reader {
        /** Puts what there is to tell under names with units. */
        void read(Map<String, Object> metadata) throws IOException;
    }

    public SocketMetadata(Reader reader) {
        this.reader = reader;
    }

    /** The metadata of now, or those of the time of {@link #keep}. */
    public synchronized Map<String, Object> get() {
        if (!closed) {
            Map<String, Object> metadata = new LinkedHashMap<>();
            try {
                reader.read(metadata);
            } catch (IOException e) {
                metadata.put("factsFailure", "the kernel does not tell more: " + IoErrors.reason(e));
            }
            last = metadata;
        }
        return last;
    }

    /** Asks for the last time; to be called before the socket is closed, once or more. */
    public synchronized void keep() {
        if (!closed) {
            last = get();
            closed = true;
        }
    }
}
