package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SocketIo;

/** A receiver over sockets: the bound socket, its I/O, the recording of stages, and the metadata. */
public abstract class SocketPacketReceiver implements PacketReceiver {
    /** The run's parameters. */
    protected final SideConfig run;

    /** Guards the resources that {@link #close} releases. */
    protected final Object lifecycle = new Object();

    private final IoSettings ioSettings;
    private final NetworkChannel bound;
    private final Map<String, String> announcement;
    private final SocketMetadata metadata = new SocketMetadata(this::readMetadata);
    private volatile @Nullable SocketIo io;
    private @Nullable SocketMonitor monitor;
    private boolean closed;

    /** @param bound the socket that is bound to the port */
    protected SocketPacketReceiver(SideConfig run, IoSettings ioSettings, NetworkChannel bound) throws IOException {
        this.run = run;
        this.ioSettings = ioSettings;
        this.bound = bound;
        this.announcement = DataPort.announce(bound);
    }

    /**
     * Returns the exception for a receiver that cannot be opened.
     *
     * @param failure the beginning of its message
     */
    protected static LagbenchException cannotOpen(String failure, SideConfig run, Exception cause) {
        return cause instanceof LagbenchException known
                ? known
                : ExitCode.UNAVAILABLE.failure(
                        failure + " on " + run.host() + ": " + IoErrors.reason(cause)
                                + ". Is it an address of this machine?",
                        cause);
    }

    /** Returns the socket that {@link #metadata} describes. */
    protected abstract NetworkChannel socket();

    /** Adds metadata of the socket other than its buffer and local address. */
    protected void putMetadata(Map<String, Object> into) throws IOException {}

    /** Closes the sockets. Called once, with {@link #lifecycle} held. */
    protected void closeSockets() {
        Sockets.close(bound);
    }

    /** Opens the I/O of a socket, and starts to record the stages of its packets if the run does so. */
    protected final SocketIo openIo(NetworkChannel socket) throws LagbenchException, IOException {
        SocketIo opened = ioSettings.openReceiver(socket, run.recordsStages());
        io = opened;
        if (run.recordsStages()) {
            try {
                monitor = SocketMonitor.ofReceiver(socket, run);
            } catch (IOException e) {
                opened.close();
                throw ExitCode.UNAVAILABLE.failure(
                        "Cannot record the stages of received packets: " + IoErrors.reason(e) + ".", e);
            }
        }
        return opened;
    }

    /** Returns whether {@link #close} was called. With {@link #lifecycle} held. */
    protected final boolean isClosed() {
        return closed;
    }

    @Override
    public final Map<String, String> announce() {
        return announcement;
    }

    @Override
    public final void endStages() throws IOException {
        synchronized (lifecycle) {
            if (monitor != null) {
                monitor.close();
            }
        }
    }

    @Override
    public final Map<String, Object> metadata() {
        return metadata.get();
    }

    private void readMetadata(Map<String, Object> into) throws IOException {
        NetworkChannel socket = socket();
        SocketBuffer.RECEIVE.putMetadata(socket, run.settings(), into);
        into.put("localAddress", DataPort.text(socket.getLocalAddress()));
        putMetadata(into);
    }

    @Override
    public void close() {
        synchronized (lifecycle) {
            if (!closed) {
                closed = true;
                metadata.keep();
                Sockets.close(monitor, io);
                closeSockets();
            }
        }
    }
}
