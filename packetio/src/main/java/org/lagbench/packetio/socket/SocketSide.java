package org.lagbench.packetio.socket;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.packetio.transport.EngineSide;
import org.lagbench.packetio.transport.SideConfig;

/** One side of a run over a socket. Its metadata is read again with each call, and kept when it closes. */
public abstract class SocketSide implements EngineSide {
    /** The run's parameters. */
    protected final SideConfig run;

    private final Object reading = new Object();
    private Map<String, Object> metadata = Map.of();
    private boolean isKept;
    private volatile boolean closed;

    SocketSide(SideConfig run) {
        this.run = run;
    }

    /** Returns whether there is a socket that has metadata. */
    boolean hasMetadata() {
        return true;
    }

    /** Adds the metadata, with names that have units. Overriding methods call this one. */
    protected void putMetadata(Map<String, Object> into) throws IOException {}

    /** Returns whether {@link #close} was called. */
    protected final boolean isClosed() {
        return closed;
    }

    /** Marks this as closed, and reads the metadata for the last time. May be called more than once. */
    final void markClosed() {
        closed = true;
        synchronized (reading) {
            readMetadata();
            isKept = true;
        }
    }

    @Override
    public final Map<String, Object> metadata() {
        synchronized (reading) {
            readMetadata();
            return metadata;
        }
    }

    private void readMetadata() {
        if (!isKept) {
            Map<String, Object> read = new LinkedHashMap<>();
            try {
                if (hasMetadata()) {
                    putMetadata(read);
                }
            } catch (IOException e) {
                read.put("factsFailure", "the kernel reports no more metadata: " + IoErrors.reason(e));
            }
            metadata = read;
        }
    }
}
