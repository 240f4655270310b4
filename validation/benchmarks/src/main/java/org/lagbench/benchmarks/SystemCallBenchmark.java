package org.lagbench.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Makes the calls of Java's channels that {@link TransportBenchmark} makes for a packet, without stamp, record or
 * check.
 */
public class SystemCallBenchmark extends PartBenchmark {
    private static final int RECEIVE_BYTES = 1 << 16;

    @Param({"udp", "tcp"})
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public String transport;

    /** Size of a packet. */
    @Param({"24", "992"})
    public int packetBytes;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private ByteBuffer out;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private ByteBuffer in;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private Call send;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private Call receive;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private NetworkChannel sender;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private NetworkChannel receiver;

    /** A system call. */
    private interface Call {
        void make() throws IOException;
    }

    @Setup
    public void open() throws IOException {
        out = ByteBuffer.allocateDirect(packetBytes);
        in = ByteBuffer.allocateDirect(RECEIVE_BYTES);
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (transport.equals("udp")) {
            DatagramChannel from = DatagramChannel.open();
            DatagramChannel to = DatagramChannel.open().bind(anyPort);
            from.connect(to.getLocalAddress());
            use(from, () -> from.write(out), to, () -> to.receive(in));
        } else {
            try (ServerSocketChannel listening = ServerSocketChannel.open().bind(anyPort)) {
                SocketChannel from = SocketChannel.open(listening.getLocalAddress());
                from.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SocketChannel to = listening.accept();
                use(from, () -> from.write(out), to, () -> to.read(in));
            }
        }
    }

    private void use(NetworkChannel from, Call sending, NetworkChannel to, Call receiving) {
        sender = from;
        receiver = to;
        send = sending;
        receive = receiving;
    }

    /** Closes both sockets. */
    @TearDown
    public void close() throws IOException {
        sender.close();
        receiver.close();
    }

    /** Sends and receives a packet. */
    @Benchmark
    public void sendAndReceive(Allocation allocation) throws IOException {
        out.clear();
        send.make();
        in.clear();
        do {
            receive.make();
        } while (in.position() < packetBytes);
    }
}
