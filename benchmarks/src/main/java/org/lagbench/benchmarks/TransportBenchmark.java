package org.lagbench.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.Arrivals;
import org.lagbench.core.transport.PacketReceiver;
import org.lagbench.core.transport.PacketSender;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.TransportRun;
import org.lagbench.core.transport.Transports;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Sending and receiving one packet on one thread, through the classes that runs use: over loopback, or the virtual bus,
 * where a batch is as many packets as a system call gives.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class TransportBenchmark {
    private static final long TAG = 0x0123_4567_89ab_cdefL;
    private static final int PACKETS = 20_000_000;

    /** Which transport. */
    @Param({"udp", "tcp"})
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public String transport;

    /** Size of a packet. */
    @Param({"24", "992"})
    public int packetBytes;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private Path directory;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private SenderCapture sent;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private ReceiverCapture received;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private PacketSender sender;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private PacketReceiver receiver;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private Arrivals arrivals;

    private long sequence;

    /** Connects. */
    @Setup
    public void open() throws IOException, LagbenchException {
        Transport opened = Transports.load().named(transport);
        TransportRun run = new TransportRun(TAG, packetBytes, "127.0.0.1", Settings.of(opened.settings(), Map.of()));
        directory = Files.createTempDirectory("lagbench-benchmark-");
        sent = SenderCapture.create(directory.resolve("sender.npy"), 1, false);
        received = ReceiverCapture.create(directory.resolve("receiver.npy"), 1, false);
        sender = opened.openSender(run);
        receiver = opened.openReceiver(run, sender.announce());
        arrivals = new Arrivals(TAG, 1, PACKETS, received);
        sender.connect(receiver.announce());
        sequence = -PACKETS;
    }

    /** Closes all. */
    @TearDown
    public void close() throws IOException {
        sender.close();
        receiver.close();
        sent.close();
        received.close();
        Files.delete(directory.resolve("sender.npy"));
        Files.delete(directory.resolve("receiver.npy"));
        Files.delete(directory);
    }

    /** A packet there, as one of the warm-up, whose records are written over. */
    @Benchmark
    public void sendAndReceive() throws IOException {
        sender.send(sequence, SenderCapture.UNSCHEDULED, sent);
        sender.push();
        sequence++;
        while (arrivals.warmUpReceived() < sequence + PACKETS) {
            receiver.receive(arrivals);
        }
    }
}
