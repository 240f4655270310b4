package org.lagbench.engines.grpc;

import java.io.EOFException;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.engines.message.MessageSender;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Sends each packet as a message of one call. A transfer has its own call, whose messages are the pieces and whose
 * result is the answer.
 */
class GrpcSender extends MessageSender implements TransferSender {
    private volatile @Nullable GrpcConnection connection;
    private volatile @Nullable StreamingCall call;

    GrpcSender(SideConfig run) {
        super(run);
    }

    @Override
    protected final void open(DataPort port, Map<String, String> announced) throws IOException {
        GrpcConnection opened = new GrpcConnection(run, port.address(), CONNECT_TIMEOUT_MS);
        connection = opened;
        opened.establish();
    }

    /** Returns the open connection. */
    protected final GrpcConnection connection() throws IOException {
        GrpcConnection open = connection;
        if (open == null) {
            throw new IOException("the sender is not connected");
        }
        return open;
    }

    /** Begins the call with the first packet. */
    @Override
    protected void transmit(byte[] packet) throws IOException {
        StreamingCall open = call;
        if (open == null) {
            open = new StreamingCall(connection());
            call = open;
        }
        open.send(packet);
    }

    /** Waits until gRPC holds little; its event loop sends the rest also after {@link #send}. */
    @Override
    protected void awaitTransmitted() throws IOException {
        StreamingCall open = call;
        if (open != null && !run.hasTransfers()) {
            open.awaitReady();
        }
    }

    @Override
    public final long awaitReply() throws IOException {
        try {
            long answeredNs = endCall();
            if (answeredNs == StreamingCall.NOT_ANSWERED) {
                throw new EOFException("it ended the call");
            }
            return answeredNs;
        } catch (IOException e) {
            throw new IOException(
                    "The receiver " + run.host() + " did not answer the transfer: " + IoErrors.reason(e), e);
        }
    }

    @Override
    public final void finish() throws IOException {
        endCall();
    }

    private long endCall() throws IOException {
        StreamingCall open = call;
        call = null;
        return open == null ? StreamingCall.NOT_ANSWERED : open.finish();
    }

    @Override
    protected final void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        GrpcConnection open = connection;
        if (open != null) {
            open.putMetadata(into);
        }
    }

    @Override
    protected void release() {
        GrpcConnection open = connection;
        if (open != null) {
            open.close();
        }
    }
}
