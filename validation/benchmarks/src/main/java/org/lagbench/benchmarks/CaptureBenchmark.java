package org.lagbench.benchmarks;

import java.io.IOException;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Appends records to a capture, {@value #PACKETS} per invocation, so that the allocation of a capture is negligible.
 */
public class CaptureBenchmark extends PartBenchmark {
    private static final int PACKETS = 4_000_000;

    /** Whether each record overwrites the previous one, as in a warm-up, or fills the capture. */
    @Param({"true", "false"})
    public boolean warmUp;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private BenchmarkFiles files;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private SenderCapture sender;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private ReceiverCapture receiver;

    private long first;

    /** Creates captures with room for one invocation. */
    @Setup(Level.Invocation)
    public void create() throws IOException {
        first = warmUp ? -PACKETS : 0;
        files = BenchmarkFiles.inMemory();
        sender = SenderCapture.create(files.of(SenderCapture.FILE_NAME), PACKETS, false);
        receiver = ReceiverCapture.create(files.of(ReceiverCapture.FILE_NAME), PACKETS, false);
    }

    @TearDown(Level.Invocation)
    public void delete() throws IOException {
        sender.close();
        receiver.close();
        files.delete();
    }

    /** Appends a sender's records. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void appendSent() {
        for (long sequence = first; sequence < first + PACKETS; sequence++) {
            sender.append(sequence, SenderCapture.UNSCHEDULED, sequence, sequence + 2);
        }
    }

    /** Appends a receiver's records. */
    @Benchmark
    @OperationsPerInvocation(PACKETS)
    public void appendReceived() {
        for (long sequence = first; sequence < first + PACKETS; sequence++) {
            receiver.append(sequence, sequence + 1, 0);
        }
    }
}
