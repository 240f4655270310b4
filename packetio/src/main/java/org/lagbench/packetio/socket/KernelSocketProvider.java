package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.NetworkChannel;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;

/** Asks a kernel of sockets what Java does not; found by {@link KernelSockets}. Thread-safe. */
public interface KernelSocketProvider {
    /** What this machine lacks that is needed, and what to do about it; null if it can ask. */
    @Nullable
    LagbenchException obstacle();

    /**
     * Opens a socket of Java's; its channel must be open, and remains so whatever becomes of the result.
     *
     * @throws LagbenchException the {@link #obstacle}
     */
    KernelSocket open(NetworkChannel channel) throws LagbenchException, IOException;
}
