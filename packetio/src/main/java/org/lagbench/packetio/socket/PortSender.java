package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;

/** A sender that connects to the receiver's port. */
public abstract class PortSender extends SocketSide implements PacketSender {
    private volatile boolean connected;
    private volatile String receiver;

    protected PortSender(SideConfig run) {
        super(run);
        this.receiver = run.host();
    }

    /** Connects to the receiver. */
    protected abstract void open(DataPort port, Map<String, String> announced) throws IOException, LagbenchException;

    /**
     * Closes what {@link #open} has opened so far; a blocked call of another thread fails. May be called more than
     * once, also while it opens.
     */
    protected abstract void release();

    /** Returns the message for a {@link #connect} that failed. */
    protected String connectFailure(String address, String reason) {
        return "Cannot connect to the receiver's data port " + address + ": " + reason + ". Does a firewall block it?";
    }

    /** Returns the receiver's address and port, for messages. */
    protected final String receiver() {
        return receiver;
    }

    @Override
    public final void connect(Map<String, String> receiverAnnounced) throws LagbenchException {
        DataPort port = DataPort.destination(run, receiverAnnounced);
        receiver = port.toString();
        try {
            open(port, receiverAnnounced);
            if (isClosed()) {
                throw new ClosedChannelException();
            }
            connected = true;
        } catch (IOException | UnsupportedOperationException e) {
            close();
            throw ExitCode.PEER.failure(connectFailure(receiver, IoErrors.reason(e)), e);
        } catch (LagbenchException e) {
            close();
            throw e;
        }
    }

    /** Throws an exception unless this is connected. */
    protected final void throwIfUnusable() throws IOException {
        if (!connected || isClosed()) {
            throw isClosed() ? new ClosedChannelException() : new IOException("The sender is not connected.");
        }
    }

    @Override
    final boolean hasMetadata() {
        return connected;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        ConnectionFacts.ofRemote(receiver).putInto(into);
    }

    @Override
    public final void close() {
        markClosed();
        release();
    }
}
