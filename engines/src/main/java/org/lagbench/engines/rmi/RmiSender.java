package org.lagbench.engines.rmi;

import java.io.IOException;
import java.net.Socket;
import java.rmi.RemoteException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.engines.message.MessageSender;
import org.lagbench.engines.message.ReplyQueue;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;

/** Calls the receiver with each packet; RMI serializes the array and waits for the return of the call. */
final class RmiSender extends MessageSender {
    private final ReplyQueue replies;
    private volatile @Nullable PacketSink sink;

    RmiSender(SideConfig run) {
        super(run);
        this.replies = new ReplyQueue(run);
    }

    @Override
    protected void open(DataPort port, Map<String, String> announced) throws IOException {
        RmiReceiver.setHostName(run.host());
        Stub.refuseForeignClasses();
        RunSockets.register(run.tag(), port.address(), run.settings());
        PacketSink opened = Stub.parse(announced.getOrDefault(Stub.KEY, ""));
        call(opened, new byte[0], false); // opens the connection
        sink = opened;
    }

    @Override
    protected void transmit(byte[] packet) throws IOException {
        PacketSink open = sink;
        if (open == null) {
            throw new IOException("the sender is not connected");
        }
        call(open, packet, run.isAnswered());
    }

    private void call(PacketSink called, byte[] packet, boolean isAnswered) throws IOException {
        try {
            if (isAnswered) {
                byte[] reply = called.answer(packet);
                replies.add(reply, RealtimeClock.nowNs());
            } else {
                called.accept(packet);
            }
        } catch (RemoteException e) {
            throw new IOException("the call failed: " + IoErrors.reason(IoErrors.rootOf(e)), e);
        } catch (RuntimeException e) { // thrown by the receiver, passed on by RMI
            throw new IOException("the receiver refused the call: " + e, e);
        }
    }

    /** Returns the receiver of the replies, which are the results of the calls. */
    @Override
    public PacketReceiver openReplies(long timeoutNs) {
        return replies;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        Socket connection = RunSockets.connection(run.tag());
        if (connection != null) {
            SocketBuffer.SEND.putMetadata(connection.getSendBufferSize(), run.settings(), into);
            ConnectionFacts.ofLocal(DataPort.text(connection.getLocalSocketAddress()))
                    .putInto(into);
            into.put("noDelay", connection.getTcpNoDelay());
        }
    }

    @Override
    protected void release() {
        RunSockets.unregister(run.tag());
        replies.close();
    }
}
