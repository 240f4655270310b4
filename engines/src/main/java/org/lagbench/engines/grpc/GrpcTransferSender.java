package org.lagbench.engines.grpc;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.engines.message.MessageSender;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/** Sends each transfer by one call, whose packets are the pieces and whose result is the answer. */
final class GrpcTransferSender extends MessageSender implements TransferSender {
    private volatile @Nullable GrpcConnection connection;
    private volatile @Nullable StreamingCall call;

    GrpcTransferSender(SideConfig run) {
        super(run);
    }

    @Override
    protected void open(InetSocketAddress address, Map<String, String> announced) throws IOException {
        GrpcConnection opened = new GrpcConnection(run, address, CONNECT_TIMEOUT_MS);
        connection = opened;
        opened.establish();
    }

    /** Begins the call with the first piece. */
    @Override
    protected void transmit(byte[] packet) throws IOException {
        StreamingCall open = call;
        GrpcConnection connected = connection;
        if (open == null) {
            if (connected == null) {
                throw new IOException("the sender is not connected");
            }
            open = new StreamingCall(connected);
            call = open;
        }
        open.send(packet);
    }

    @Override
    public long awaitReply() throws IOException {
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
    public void finish() throws IOException {
        endCall();
    }

    private long endCall() throws IOException {
        StreamingCall open = call;
        call = null;
        return open == null ? StreamingCall.NOT_ANSWERED : open.finish();
    }

    /** Returns −1: gRPC hides when the TCP connection was opened. */
    @Override
    public long connectStartNs() {
        return -1;
    }

    /** Returns −1: gRPC hides when the TCP connection was established. */
    @Override
    public long connectedNs() {
        return -1;
    }

    /** Returns false: gRPC hides the socket. */
    @Override
    public boolean readState(long[] values, int from) {
        return false;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) {
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
