package org.lagbench.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.PacketReceiver;
import org.lagbench.core.transport.PacketSender;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.TransportRun;
import org.lagbench.core.transport.Transports;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What it takes to cross from Java to C and back for a batch of IEEE-1394 packets, and to read its report: asked is for what
 * has happened before, so that the C code has nothing to do. Wants a bus: {@code scripts/lagbench bus scripts/benchmark
 * Crossing}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class CrossingBenchmark {
    private static final long TAG = 0x0123_4567_89ab_cdefL;
    private static final int PACKET_BYTES = 24;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private Path directory;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private SenderCapture sent;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private PacketSender sender;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private PacketReceiver receiver;

    /** Sends a packet, so that there has been a batch. */
    @Setup
    public void open() throws IOException, LagbenchException {
        Transport opened = Transports.load().named("ieee1394");
        TransportRun run = new TransportRun(TAG, PACKET_BYTES, "127.0.0.1", Settings.of(opened.settings(), Map.of()));
        directory = Files.createTempDirectory("lagbench-benchmark-");
        sent = SenderCapture.create(directory.resolve("sender.npy"), 1, true);
        sender = opened.openSender(run);
        receiver = opened.openReceiver(run, sender.announce());
        sender.connect(receiver.announce());
        sender.send(0, SenderCapture.UNSCHEDULED, sent);
        sender.flush();
    }

    /** Closes all. */
    @TearDown
    public void close() throws IOException {
        sender.close();
        receiver.close();
        sent.close();
        Files.delete(directory.resolve("sender.npy"));
        Files.delete(directory);
    }

    /** There and back. */
    @Benchmark
    public void emptyBatch() throws IOException {
        sender.flush();
    }
}
