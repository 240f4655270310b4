package org.lagbench.engines.grpc;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.engines.message.PushReceiver;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.Transfers;

/**
 * Serves calls at one port of the run's address, in the event loops of gRPC, which refuses messages longer than a
 * packet.
 */
final class GrpcReceiver extends PushReceiver {
    private static final long CLOSE_TIMEOUT_S = 5;

    private final PacketService service;
    private final Server server;
    private final InetSocketAddress local;

    private GrpcReceiver(SideConfig run, InetSocketAddress any, @Nullable Transfers transfers) throws IOException {
        super(run);
        service = new PacketService(run, this::accounting, transfers);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(any)
                .directExecutor()
                .maxInboundMessageSize(run.packetBytes())
                .addService(service.definition());
        OptionalLong receiveBuffer = SocketBuffer.RECEIVE.requestedBytes(run.settings());
        if (receiveBuffer.isPresent()) { // connections inherit the size and the TCP window
            builder.withOption(ChannelOption.SO_RCVBUF, Math.toIntExact(receiveBuffer.getAsLong()));
        }
        server = builder.build().start();
        local = new InetSocketAddress(any.getAddress(), server.getPort());
    }

    static GrpcReceiver open(SideConfig run, @Nullable Transfers transfers) throws LagbenchException {
        try {
            return new GrpcReceiver(run, DataPort.ephemeral(run.host()).address(), transfers);
        } catch (IOException e) {
            throw cannotListen(run, e);
        }
    }

    @Override
    protected InetSocketAddress local() {
        return local;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) {
        SocketBuffer.RECEIVE.putRequest(run.settings(), into);
        service.putMetadata(into);
    }

    @Override
    protected void release() {
        endReceive();
        server.shutdownNow();
        try {
            server.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        service.end();
    }
}
