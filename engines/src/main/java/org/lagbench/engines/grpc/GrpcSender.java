package org.lagbench.engines.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import java.io.EOFException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.run.CallFacts;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.engines.message.MessageSender;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Sends each packet as a message of one call. A transfer has its own call, whose messages are the pieces and whose
 * result is the reply. All calls share a channel of gRPC, a TCP connection. gRPC repeats no call.
 */
class GrpcSender extends MessageSender implements TransferSender {
    private static final long CLOSE_TIMEOUT_S = 5;

    /** The methods of the receiver. */
    protected final PacketMethods methods;

    private volatile @Nullable ManagedChannel channel;
    private volatile @Nullable StreamingCall call;

    GrpcSender(SideConfig run) {
        super(run);
        this.methods = PacketMethods.ofRun(run.tag());
    }

    /** Connects by a call without a packet, and waits for its end. */
    @Override
    protected final void open(DataPort port, Map<String, String> announced) throws IOException {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(port.address())
                .usePlaintext()
                .directExecutor()
                .disableRetry() // a repeated call would send the array's next packet
                .maxInboundMessageSize(run.packetBytes())
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMs())
                .withOption(ChannelOption.TCP_NODELAY, run.settings().flag(MessageEngine.NO_DELAY));
        SocketBuffer.SEND.request(run.settings(), bytes -> builder.withOption(ChannelOption.SO_SNDBUF, bytes));
        channel = builder.build();
        StreamingCall connecting = new StreamingCall(listener -> begin(methods.answer(), listener));
        connecting.sendAtOnce(new byte[0]);
        connecting.finish();
    }

    /** Begins a call. */
    protected final ClientCall<byte[], byte[]> begin(
            MethodDescriptor<byte[], byte[]> method, ClientCall.Listener<byte[]> listener) throws IOException {
        ManagedChannel open = channel;
        if (open == null) {
            throw new IOException("the sender is not connected");
        }
        ClientCall<byte[], byte[]> begun = open.newCall(method, CallOptions.DEFAULT);
        begun.start(listener, new Metadata());
        begun.request(2); // the reply, and one more, which gRPC refuses
        return begun;
    }

    /** Begins the call with the first packet. */
    @Override
    protected void transmit(byte[] packet) throws IOException {
        StreamingCall open = call;
        if (open == null) {
            open = new StreamingCall(listener -> begin(methods.send(), listener));
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
        CallFacts.ofHandingOver().putInto(into);
        SocketBuffer.SEND.putRequest(run.settings(), into);
        into.put("noDelay", run.settings().flag(MessageEngine.NO_DELAY));
    }

    /** Ends all calls and closes the connection. */
    @Override
    protected void release() {
        ManagedChannel open = channel;
        if (open != null) {
            open.shutdownNow();
            try {
                open.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
