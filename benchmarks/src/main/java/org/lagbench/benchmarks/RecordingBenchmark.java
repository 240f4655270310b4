package org.lagbench.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.packet.PacketLayout;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.core.transport.Arrivals;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Recording: all that is done of a packet beyond the system call that sends or receives it. The sender writes the header,
 * reads the clock before the call and after it, and appends a record; the receiver reads the clock, looks at the header,
 * counts and appends a record. Each for {@value #PACKETS} packets, into memory where there is a folder in it, as no disk is
 * measured here. What reading the clock takes alone is in {@link ClockBenchmark}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class RecordingBenchmark {
    private static final int PACKETS = 100_000;
    private static final long TAG = 0x0123_4567_89ab_cdefL;
    private static final Path MEMORY = Path.of("/dev/shm");

    private final ByteBuffer packet = ByteBuffer.allocateDirect(PacketLayout.HEADER_BYTES);

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private Path directory;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private SenderCapture sender;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private ReceiverCapture receiver;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private Arrivals arrivals;

    /** Makes captures with room for one invocation. */
    @Setup(Level.Invocation)
    public void create() throws IOException {
        String prefix = "lagbench-benchmark-";
        directory = Files.isWritable(MEMORY)
                ? Files.createTempDirectory(MEMORY, prefix)
                : Files.createTempDirectory(prefix);
        sender = SenderCapture.create(directory.resolve("sender.npy"), PACKETS, false);
        receiver = ReceiverCapture.create(directory.resolve("receiver.npy"), PACKETS, false);
        arrivals = new Arrivals(TAG, PACKETS, 0, receiver);
    }

    /** Deletes them. */
    @TearDown(Level.Invocation)
    public void delete() throws IOException {
        sender.close();
        receiver.close();
        Files.delete(directory.resolve("sender.npy"));
        Files.delete(directory.resolve("receiver.npy"));
        Files.delete(directory);
    }

    /** The sender's record alone. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void append() {
        for (int i = 0; i < PACKETS; i++) {
            sender.append(i, i, i + 1, i + 2);
        }
    }

    /** All that a sender does. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void recordSent() {
        for (int i = 0; i < PACKETS; i++) {
            PacketLayout.putIdentity(packet, 0, TAG, i);
            long sentNs = RealtimeClock.nowNs();
            PacketLayout.putSentNs(packet, 0, sentNs);
            sender.append(i, SenderCapture.UNSCHEDULED, sentNs, RealtimeClock.nowNs());
        }
    }

    /** All that a receiver does. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void recordReceived() {
        for (int i = 0; i < PACKETS; i++) {
            PacketLayout.putIdentity(packet, 0, TAG, i);
            arrivals.packet(packet, 0, RealtimeClock.nowNs(), Arrivals.NO_STAMP);
        }
    }
}
