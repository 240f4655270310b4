package org.lagbench.engines.grpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.engines.message.MessageSender;
import org.lagbench.packetio.transport.SideConfig;

/** Sends each packet as a message of one call. */
final class GrpcSender extends MessageSender {
    private volatile @Nullable GrpcConnection connection;
    private volatile @Nullable StreamingCall call;

    GrpcSender(SideConfig run) {
        super(run);
    }

    @Override
    protected void open(InetSocketAddress address, Map<String, String> announced) throws IOException {
        GrpcConnection opened = new GrpcConnection(run, address, CONNECT_TIMEOUT_MS);
        connection = opened;
        StreamingCall begun = new StreamingCall(opened);
        call = begun;
        begun.awaitReady();
    }

    @Override
    protected void transmit(byte[] packet) throws IOException {
        StreamingCall open = call;
        if (open == null) {
            throw new IOException("the call has not begun");
        }
        open.send(packet);
    }

    /** Waits until gRPC holds little; its event loop sends the rest also after {@link #send}. */
    @Override
    protected void awaitTransmitted() throws IOException {
        StreamingCall open = call;
        if (open != null) {
            open.awaitReady();
        }
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
