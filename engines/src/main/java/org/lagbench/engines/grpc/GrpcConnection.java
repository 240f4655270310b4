package org.lagbench.engines.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.engines.message.SocketSettings;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.SideConfig;

/** The sender's connection: a channel of gRPC, whose calls share a TCP connection. gRPC repeats no call. */
final class GrpcConnection {
    private static final long CLOSE_TIMEOUT_S = 5;

    /** The logger of gRPC, which would print a stack trace for each stranger's connection. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private final SideConfig run;
    private final PacketMethods methods;
    private final ManagedChannel channel;

    /** Creates a channel, which connects with the first call. */
    GrpcConnection(SideConfig run, InetSocketAddress address, int connectTimeoutMs) {
        this.run = run;
        this.methods = new PacketMethods(run.tag());
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address)
                .usePlaintext()
                .directExecutor()
                .disableRetry() // a repeated call would send the array's next packet
                .maxInboundMessageSize(run.packetBytes())
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMs)
                .withOption(ChannelOption.TCP_NODELAY, run.settings().flag(SocketSettings.NO_DELAY));
        SocketBuffer.SEND.request(run.settings(), bytes -> builder.withOption(ChannelOption.SO_SNDBUF, bytes));
        this.channel = builder.build();
    }

    /** Makes gRPC log nothing in this process. */
    static void silence() {
        GRPC.setLevel(Level.OFF);
    }

    /** Connects by a call without a packet, and waits for its end. */
    void establish() throws IOException {
        CompletableFuture<Status> ended = new CompletableFuture<>();
        call(new byte[0], new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
                ended.complete(status);
            }
        });
        try {
            Status status = Uninterruptibly.get(ended);
            if (!status.isOk()) {
                throw failure(status);
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls the method that answers a packet. Returns at once; gRPC has copied the packet. */
    void call(byte[] packet, ClientCall.Listener<byte[]> listener) {
        ClientCall<byte[], byte[]> call = begin(methods.answer(), listener);
        call.sendMessage(packet);
        call.halfClose();
    }

    /** Begins a call of the method to which packets are sent. */
    ClientCall<byte[], byte[]> stream(ClientCall.Listener<byte[]> listener) {
        return begin(methods.send(), listener);
    }

    private ClientCall<byte[], byte[]> begin(
            MethodDescriptor<byte[], byte[]> method, ClientCall.Listener<byte[]> listener) {
        ClientCall<byte[], byte[]> call = channel.newCall(method, CallOptions.DEFAULT);
        call.start(listener, new Metadata());
        call.request(2); // the answer, and one more, which gRPC refuses
        return call;
    }

    /** Returns the reason for which a call ended. */
    static IOException failure(Status status) {
        return new IOException("the call ended: " + reason(status), status.getCause());
    }

    private static String reason(Status status) {
        Throwable cause = status.getCause();
        String reason = cause == null ? null : IoErrors.rootOf(cause).getMessage();
        reason = reason == null ? status.getDescription() : reason;
        return reason == null ? status.getCode().toString() : reason;
    }

    void putMetadata(Map<String, Object> into) {
        SocketBuffer.SEND.putRequest(run.settings(), into);
        into.put("noDelay", run.settings().flag(SocketSettings.NO_DELAY));
    }

    /** Ends all calls and closes the connection. */
    void close() {
        channel.shutdownNow();
        try {
            channel.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
