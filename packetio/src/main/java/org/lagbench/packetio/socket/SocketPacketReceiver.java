package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketErrorCounts;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SocketIo;

/** A receiver over sockets: the bound socket, its I/O, the record of its buffers, and the metadata. */
public abstract class SocketPacketReceiver extends PortReceiver {
    private final IoSettings ioSettings;
    private final NetworkChannel bound;
    private final InetSocketAddress local;
    private volatile @Nullable SocketIo io;
    private @Nullable SocketMonitor monitor;

    /** @param bound the socket that is bound to the port */
    protected SocketPacketReceiver(SideConfig run, IoSettings ioSettings, NetworkChannel bound) throws IOException {
        super(run);
        this.ioSettings = ioSettings;
        this.bound = bound;
        this.local = DataPort.boundTo(bound);
    }

    /** Returns the socket that {@link #metadata} describes. */
    protected abstract NetworkChannel socket();

    /** Closes the sockets. Called once, with {@link #lifecycle} held. */
    protected void closeSockets() {
        Sockets.close(bound);
    }

    /** Opens the I/O of a socket, and starts to record its buffers if the run does so. */
    protected final SocketIo openIo(NetworkChannel socket) throws LagbenchException, IOException {
        SocketIo opened = ioSettings.openReceiver(socket, run.stampsArrivals() && !ioSettings.offload());
        io = opened;
        if (run.recordsTimestamps()) {
            try {
                monitor = SocketMonitor.ofReceiver(socket, run);
            } catch (IOException e) {
                opened.close();
                throw ExitCode.UNAVAILABLE.failure(
                        "observe: timestamping cannot record the receiver's buffers: " + IoErrors.reason(e) + ".", e);
            }
        }
        return opened;
    }

    @Override
    protected final InetSocketAddress local() {
        return local;
    }

    @Override
    public final void endSocketRecord() throws IOException {
        synchronized (lifecycle) {
            if (monitor != null) {
                monitor.close();
            }
        }
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        SocketBuffer.RECEIVE.putMetadata(socket(), run.settings(), into);
        SocketIo open = io;
        if (open != null) {
            PacketErrorCounts errors = new PacketErrorCounts();
            open.addErrors(errors);
            errors.putMetadata(into);
        }
    }

    @Override
    protected void release() {
        Sockets.close(monitor, io);
        closeSockets();
    }
}
