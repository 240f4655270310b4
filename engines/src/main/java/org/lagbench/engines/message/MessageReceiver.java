package org.lagbench.engines.message;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketMetadata;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;

/** A receiver of one run; this class reads its metadata and closes it once. */
public abstract class MessageReceiver implements PacketReceiver {
    /** The run's parameters. */
    protected final SideConfig run;

    private final SocketMetadata metadata = new SocketMetadata(this::readMetadata);
    private final Object lifecycle = new Object();
    private volatile boolean closed;

    protected MessageReceiver(SideConfig run) {
        this.run = run;
    }

    /** Returns the address and port at which this listens. */
    protected abstract InetSocketAddress local();

    /** Adds metadata of the connection other than the local address. */
    protected abstract void putMetadata(Map<String, Object> into) throws IOException;

    /** Ends the reception and releases all resources; no packet is passed on after the return. Called once. */
    protected abstract void release();

    protected final boolean isClosed() {
        return closed;
    }

    @Override
    public Map<String, String> announce() {
        return DataPort.announce(local());
    }

    @Override
    public final Map<String, Object> metadata() {
        return metadata.get();
    }

    private void readMetadata(Map<String, Object> into) throws IOException {
        into.put("localAddress", DataPort.text(local()));
        putMetadata(into);
    }

    /** Closes the receiver. Every call returns only when no more packets are passed on. */
    @Override
    public final void close() {
        synchronized (lifecycle) {
            if (!closed) {
                closed = true;
                metadata.keep();
                release();
            }
        }
    }
}
