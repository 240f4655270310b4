package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;

/** A receiver at a port, which it announces. It is closed once. */
public abstract class PortReceiver extends SocketSide implements PacketReceiver {
    /** Guards the resources that {@link #close} releases. */
    protected final Object lifecycle = new Object();

    protected PortReceiver(SideConfig run) {
        super(run);
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
        into.put("localAddress", DataPort.text(local()));
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
