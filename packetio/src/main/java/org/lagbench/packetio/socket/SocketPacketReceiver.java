package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.StageRecording;
import org.lagbench.packetio.transport.TransportRun;

/** What receivers over sockets share: the bound socket, its I/O, the recording of stages, metadata, and their end. */
public abstract class SocketPacketReceiver implements PacketReceiver {
    /** What the run is. */
    protected final TransportRun run;

    /** Guards what {@link #close} ends. */
    protected final Object lifecycle = new Object();

    private final IoSettings calls;
    private final NetworkChannel bound;
    private final Map<String, String> announcement;
    private final SocketMetadata metadata = new SocketMetadata(this::readMetadata);
    private volatile @Nullable SocketIo io;
    private @Nullable SocketMonitor monitor;
    private boolean closed;

    /**
     * @param calls by which packets are received
     * @param bound the socket that is bound to the port
     */
    protected SocketPacketReceiver(TransportRun run, IoSettings calls, NetworkChannel bound) throws IOException {
        this.run = run;
        this.calls = calls;
        this.bound = bound;
        this.announcement = DataPort.announce(bound);
    }

    /**
     * Returns the failure to open a receiver.
     *
     * @param what what failed, as a sentence begins
     */
    protected static LagbenchException cannotOpen(String what, TransportRun run, Exception met) {
        return met instanceof LagbenchException known
                ? known
                : new LagbenchException(
                        ExitCode.UNAVAILABLE,
                        what + " on " + run.host() + ": " + IoErrors.reason(met)
                                + ". Is it an address of this machine?",
                        met);
    }

    /** The socket whose buffers and addresses {@link #metadata} has. */
    protected abstract NetworkChannel socket();

    /** Puts what there is to tell of the socket besides its buffer and local address. */
    protected void putMetadata(Map<String, Object> into) throws IOException {}

    /** Closes the sockets. Called once, with {@link #lifecycle} held. */
    protected void closeSockets() {
        Sockets.close(bound);
    }

    /** Opens the I/O of a socket, and begins to record the stages of its packets if the run wants that. */
    protected final SocketIo openIo(NetworkChannel socket) throws LagbenchException, IOException {
        StageRecording stages = run.stages();
        SocketIo opened = calls.openReceiver(socket, stages != null);
        io = opened;
        if (stages != null) {
            try {
                monitor = SocketMonitor.ofReceiver(socket, stages);
            } catch (IOException e) {
                opened.close();
                throw new LagbenchException(
                        ExitCode.UNAVAILABLE,
                        "The stages of received packets cannot be recorded: " + IoErrors.reason(e) + ".",
                        e);
            }
        }
        return opened;
    }

    /** Whether {@link #close} was called. With {@link #lifecycle} held. */
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
                SocketMonitor.endQuietly(monitor);
                SocketIo open = io;
                if (open != null) {
                    open.close();
                }
                closeSockets();
            }
        }
    }
}
