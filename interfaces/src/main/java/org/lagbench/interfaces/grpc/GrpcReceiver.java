package org.lagbench.interfaces.grpc;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.interfaces.message.AllocationMeter;
import org.lagbench.interfaces.message.PushReceiver;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Serves calls at one port of the run's address, in the event loops of gRPC. A packet is stamped when gRPC passes on
 * the message; messages of another size are foreign, and gRPC refuses longer ones.
 */
final class GrpcReceiver extends PushReceiver {
    private static final long CLOSE_TIMEOUT_S = 5;

    /** Messages that gRPC may pass on before it is asked for more. */
    private static final int REQUESTED_MESSAGES = 64;

    private final AllocationMeter allocation = new AllocationMeter("connectionThreadBytesPerPacket");
    private final Object counting = new Object();
    private final Server server;
    private final InetSocketAddress local;

    private GrpcReceiver(TransportRun run, InetSocketAddress any) throws IOException {
        super(run);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(any)
                .directExecutor()
                .maxInboundMessageSize(run.packetBytes())
                .addService(ServerServiceDefinition.builder(PacketMethod.SERVICE)
                        .addMethod(PacketMethod.SEND, new Calls())
                        .build());
        OptionalLong receiveBuffer = SocketBuffer.RECEIVE.requestedBytes(run.settings());
        if (receiveBuffer.isPresent()) { // connections inherit the size and the TCP window
            builder.withOption(ChannelOption.SO_RCVBUF, Math.toIntExact(receiveBuffer.getAsLong()));
        }
        server = builder.build().start();
        local = new InetSocketAddress(any.getAddress(), server.getPort());
    }

    static GrpcReceiver open(TransportRun run) throws LagbenchException {
        try {
            return new GrpcReceiver(run, DataPort.ephemeral(run.host()).address());
        } catch (IOException e) {
            throw cannotListen(run, e);
        }
    }

    private final class Calls implements ServerCallHandler<byte[], byte[]> {
        @Override
        public ServerCall.Listener<byte[]> startCall(ServerCall<byte[], byte[]> call, Metadata headers) {
            call.request(REQUESTED_MESSAGES);
            return new ServerCall.Listener<>() {
                @Override
                public void onMessage(byte[] packet) {
                    accept(packet, RealtimeClock.nowNs());
                    call.request(1);
                }

                @Override
                public void onHalfClose() {
                    call.close(Status.OK, new Metadata());
                }
            };
        }
    }

    private void accept(byte[] packet, long receivedNs) {
        PacketAccounting accounting = accounting();
        synchronized (counting) {
            if (isClosed()) {
                return;
            }
            if (packet.length == run.packetBytes()) {
                allocation.packet();
                accounting.packet(ByteBuffer.wrap(packet), 0, receivedNs, PacketAccounting.NO_STAMP);
            } else {
                accounting.countForeign();
            }
        }
    }

    @Override
    protected InetSocketAddress local() {
        return local;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) {
        SocketBuffer.RECEIVE.putRequest(run.settings(), into);
        into.put("sharedStamps", false);
        allocation.putMetadata(into);
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
        awaitCount();
    }

    /** Waits until no thread is counting a packet. */
    private void awaitCount() {
        synchronized (counting) {
            counting.notifyAll();
        }
    }
}
