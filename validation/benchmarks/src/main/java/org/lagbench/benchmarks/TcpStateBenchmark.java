package org.lagbench.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.TcpStates;
import org.lagbench.packetio.socket.TransferRecorder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Reads the state of a TCP connection over loopback, as a transfer does every millisecond. */
public class TcpStateBenchmark extends PartBenchmark {
    private final long[] values = new long[TransferRecorder.VALUES];

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private TcpStates states;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private SocketChannel sender;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private SocketChannel receiver;

    /** Connects, and sends enough data for the kernel to have statistics of the connection. */
    @Setup
    public void open() throws IOException, LagbenchException {
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            sender = SocketChannel.open(listening.getLocalAddress());
            receiver = listening.accept();
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 14);
        sender.write(bytes);
        bytes.clear();
        while (bytes.hasRemaining()) {
            receiver.read(bytes);
        }
        states = new TcpStates();
        states.open(sender);
    }

    @TearDown
    public void close() throws IOException {
        states.close();
        sender.close();
        receiver.close();
    }

    @Benchmark
    public boolean read(Allocation allocation) throws IOException {
        return states.read(values, 1);
    }
}
