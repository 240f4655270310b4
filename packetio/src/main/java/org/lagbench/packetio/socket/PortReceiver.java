package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;

/** A receiver at a port, which it announces. It is closed once. */
public abstract class PortReceiver extends SocketSide implements PacketReceiver {
    /** Guards the resources that {@link #close} releases. */
    protected final Object lifecycle = new Object();

    protected PortReceiver(SideConfig run) {
        super(run);
    }

    /**
     * Returns the exception for a receiver that cannot be opened.
     *
     * @param failure the beginning of its message
     */
    public static LagbenchException cannotOpen(String failure, SideConfig run, Exception cause) {
        return cause instanceof LagbenchException known
                ? known
                : ExitCode.UNAVAILABLE.failure(
                        failure + " on " + run.host() + ": " + IoErrors.reason(cause)
                                + ". Is it an address of this machine?",
                        cause);
    }

    /** Returns the address and port at which this listens. */
    protected abstract InetSocketAddress local();

    /**
     * Ends the reception and releases all resources; no packet is passed on after the return. Called once, with
     * {@link #lifecycle} held.
     */
    protected abstract void release();

    @Override
    public Map<String, String> announce() {
        return DataPort.announce(local());
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        ConnectionFacts.ofLocal(DataPort.text(local())).putInto(into);
    }

    /** Closes the receiver. Every call returns only when no more packets are passed on. */
    @Override
    public final void close() {
        synchronized (lifecycle) {
            if (!isClosed()) {
                markClosed();
                release();
            }
        }
    }
}
