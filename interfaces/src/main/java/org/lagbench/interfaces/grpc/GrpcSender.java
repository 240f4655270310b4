package org.lagbench.interfaces.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.interfaces.message.MessageSender;
import org.lagbench.interfaces.message.SocketSettings;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Sends each packet as a message of one call. gRPC copies it into its own buffer, which an event loop sends. Waits
 * while gRPC holds more than 32 KiB that it has not sent.
 */
final class GrpcSender extends MessageSender {
    private static final long CLOSE_TIMEOUT_S = 5;

    private final Object changed = new Object();
    private volatile @Nullable ManagedChannel channel;
    private volatile @Nullable ClientCall<byte[], byte[]> call;
    private volatile @Nullable IOException failure;

    GrpcSender(TransportRun run) {
        super(run);
    }

    /** Wakes the sending thread when the call takes more messages or ends. */
    private final class Observer extends ClientCall.Listener<byte[]> {
        @Override
        public void onReady() {
            synchronized (changed) {
                changed.notifyAll();
            }
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            synchronized (changed) {
                failure = new IOException("the call ended: " + reason(status), status.getCause());
                changed.notifyAll();
            }
        }
    }

    private static String reason(Status status) {
        Throwable root = status.getCause();
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return root != null && root.getMessage() != null
                ? root.getMessage()
                : status.getDescription() != null
                        ? status.getDescription()
                        : status.getCode().toString();
    }

    @Override
    protected void open(InetSocketAddress address, Map<String, String> announced) throws IOException {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address)
                .usePlaintext()
                .directExecutor()
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .withOption(ChannelOption.TCP_NODELAY, run.settings().flag(SocketSettings.NO_DELAY));
        OptionalLong sendBuffer = SocketBuffer.SEND.requestedBytes(run.settings());
        if (sendBuffer.isPresent()) {
            builder.withOption(ChannelOption.SO_SNDBUF, Math.toIntExact(sendBuffer.getAsLong()));
        }
        ManagedChannel opened = builder.build();
        channel = opened;
        ClientCall<byte[], byte[]> started = opened.newCall(PacketMethod.SEND, CallOptions.DEFAULT);
        started.start(new Observer(), new Metadata());
        call = started;
        awaitReady(started);
    }

    @Override
    protected void transmit(byte[] packet) throws IOException {
        ClientCall<byte[], byte[]> open = call;
        if (open == null) {
            throw new IOException("there is no call");
        }
        awaitReady(open);
        open.sendMessage(packet);
    }

    private void awaitReady(ClientCall<byte[], byte[]> open) throws IOException {
        if (!open.isReady() || failure != null) {
            try {
                synchronized (changed) {
                    while (!open.isReady() && failure == null) {
                        changed.wait();
                    }
                }
            } catch (InterruptedException e) {
                throw new InterruptedIOException("stopped");
            }
            IOException reason = failure;
            if (reason != null) {
                throw new IOException(reason.getMessage(), reason);
            }
        }
    }

    /** Waits until gRPC holds little; its event loop sends the rest also after {@link #send}. */
    @Override
    protected void awaitTransmitted() throws IOException {
        ClientCall<byte[], byte[]> open = call;
        if (open != null) {
            awaitReady(open);
        }
    }

    @Override
    protected void putMetadata(Map<String, Object> into) {
        SocketBuffer.SEND.putRequest(run.settings(), into);
        into.put("noDelay", run.settings().flag(SocketSettings.NO_DELAY));
    }

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
