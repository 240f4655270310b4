package org.lagbench.core.transport.ip;

import java.io.IOException;
import java.nio.channels.NetworkChannel;
import org.lagbench.core.failure.LagbenchException;

/** Asks a kernel of sockets what Java does not; found by {@link KernelSockets}. Thread-safe. */
public interface KernelSocketProvider {
    /**
     * Makes sure that it can.
     *
     * @throws LagbenchException if this machine lacks what is needed: what, and what to do about it
     */
    void check() throws LagbenchException;

    /**
     * Opens a socket of Java's; its channel must be open, and remains so whatever becomes of the result.
     *
     * @throws LagbenchException as {@link #check}
     */
    KernelSocket open(NetworkChannel channel) throws LagbenchException, IOException;
}
