package org.lagbench.engines.grpc;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.run.CallFacts;
import org.lagbench.engines.message.PushReceiver;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Serves calls at one port of the run's address, in an event loop of gRPC's Netty, which refuses messages longer than a
 * packet. A packet is stamped when gRPC passes on the message; messages of another size are foreign.
 */
final class GrpcReceiver extends PushReceiver {
    private static final long CLOSE_TIMEOUT_S = 5;

    /** Messages that gRPC may pass on before it is asked for more. */
    private static final int REQUESTED_MESSAGES = 64;

    private final EventLoopGroup eventLoop;
    private final Server server;
    private final InetSocketAddress local;

    // Guarded by this, as the counting of packets is.
    private boolean ended;
    private long unrecorded;

    GrpcReceiver(SideConfig run) throws IOException, LagbenchException {
        super(run);
        InetSocketAddress any = DataPort.listening(run).address();
        PacketMethods methods = PacketMethods.ofRun(run.tag());
        ServerChannel socket = openSocket(run);
        socket.pipeline().addLast(new Strangers(run));
        boolean isEpoll = socket instanceof EpollServerSocketChannel;
        eventLoop = new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory("grpc-receiver", true),
                isEpoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        NettyServerBuilder builder = NettyServerBuilder.forAddress(any)
                .channelFactory(() -> socket)
                .bossEventLoopGroup(eventLoop)
                .workerEventLoopGroup(eventLoop)
                .directExecutor()
                .maxInboundMessageSize(run.packetBytes())
                .addService(ServerServiceDefinition.builder(methods.service())
                        .addMethod(methods.send(), (ServerCallHandler<byte[], byte[]>) this::receive)
                        .addMethod(methods.answer(), (ServerCallHandler<byte[], byte[]>) this::answer)
                        .build());
        // connections inherit the size and the TCP window
        SocketBuffer.RECEIVE.request(run.settings(), bytes -> builder.withOption(ChannelOption.SO_RCVBUF, bytes));
        server = builder.build();
        try {
            server.start();
        } catch (IOException e) {
            end(eventLoop);
            throw e;
        }
        local = new InetSocketAddress(any.getAddress(), server.getPort());
    }

    /** Closes connections of other hosts before their first byte is read: recent kernels let only root filter TCP. */
    private static final class Strangers extends ChannelInboundHandlerAdapter {
        private final SideConfig run;

        Strangers(SideConfig run) {
            this.run = run;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            if (accepted instanceof Channel connection && !run.admits(connection.remoteAddress())) {
                connection.unsafe().closeForcibly();
            } else {
                context.fireChannelRead(accepted);
            }
        }
    }

    /** Opens a socket that other hosts than the sender's do not reach; it is not bound yet. */
    private static ServerChannel openSocket(SideConfig run) throws IOException, LagbenchException {
        if (Epoll.isAvailable()) {
            EpollServerSocketChannel socket = new EpollServerSocketChannel();
            Sockets.admit(socket.fd().intValue(), run);
            return socket;
        }
        ServerSocketChannel socket = ServerSocketChannel.open();
        Sockets.admit(socket, run);
        return new NioServerSocketChannel(socket);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the same future as the one that has ended
    private static void end(EventLoopGroup eventLoop) {
        eventLoop.shutdownGracefully(0, CLOSE_TIMEOUT_S, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private ServerCall.Listener<byte[]> receive(ServerCall<byte[], byte[]> call, Metadata headers) {
        call.request(REQUESTED_MESSAGES);
        return new ServerCall.Listener<>() {
            private long transferBytes;
            private boolean isComplete;

            @Override
            public void onMessage(byte[] packet) {
                long receivedNs = RealtimeClock.nowNs();
                transferBytes += packet.length;
                isComplete = count(packet, receivedNs, PacketAccounting.NO_STAMP, transferBytes);
                call.request(1);
            }

            @Override
            public void onHalfClose() {
                call.sendHeaders(new Metadata());
                call.sendMessage(new byte[isComplete ? TransferSender.REPLY_BYTES : 0]); // gRPC requires a result
                call.close(Status.OK, new Metadata());
            }
        };
    }

    private ServerCall.Listener<byte[]> answer(ServerCall<byte[], byte[]> call, Metadata headers) {
        call.request(2); // the packet, and one more, which gRPC refuses
        return new ServerCall.Listener<>() {
            private byte[] packet = new byte[0];
            private long receivedNs;

            @Override
            public void onMessage(byte[] message) {
                receivedNs = RealtimeClock.nowNs();
                packet = message;
            }

            @Override
            public void onHalfClose() {
                if (packet.length == 0) { // the sender's first call
                    receiveIn(PacketThread.current()); // of its connection
                }
                long repliedNs = PacketLayout.stamp(ByteBuffer.wrap(packet), 0, packet.length);
                call.sendHeaders(new Metadata());
                call.sendMessage(packet);
                call.close(Status.OK, new Metadata());
                if (packet.length > 0) {
                    count(packet, receivedNs, repliedNs, packet.length);
                }
            }
        };
    }

    /** Counts a message; returns whether it was the last piece of a transfer. */
    private boolean count(byte[] packet, long receivedNs, long repliedNs, long transferBytes) {
        PacketAccounting counts = accounting();
        synchronized (this) {
            if (ended) {
                return false;
            }
            allocation.packet();
            if (packet.length != run.packetBytes()) {
                counts.countForeign();
                return false;
            }
            ByteBuffer buffer = ByteBuffer.wrap(packet);
            ReceiverCapture bytes = run.receivedBytes();
            boolean isLast = false;
            if (bytes != null && counts.isOfRun(buffer, 0)) {
                long sequence = PacketLayout.sequence(buffer, 0);
                long transfer = Math.floorDiv(sequence, run.pieces());
                unrecorded += bytes.append(transfer, receivedNs, transferBytes) ? 0 : 1;
                isLast = Math.floorMod(sequence + 1, run.pieces()) == 0;
            }
            counts.packet(buffer, 0, run.packetBytes(), receivedNs, repliedNs);
            return isLast;
        }
    }

    @Override
    protected InetSocketAddress local() {
        return local;
    }

    @Override
    protected synchronized void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        SocketBuffer.RECEIVE.putRequest(run.settings(), into);
        CallFacts.ofStamps(false).putInto(into);
        if (run.hasTransfers()) {
            into.put("receiveCallsWithoutRoom", unrecorded);
        }
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
        end(eventLoop);
        synchronized (this) { // waits until no thread is counting a packet
            ended = true;
        }
    }
}
