package org.lagbench.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.Phases;
import org.lagbench.packetio.transport.SendBatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Records packets: the work for a packet besides the system call. The sender writes the header, reads the clock before
 * and after the call, and appends a record. The receiver reads the clock, checks the header, counts and appends a
 * record. {@link ClockBenchmark} measures the part of the clock.
 *
 * <p>The packets are those of a warm-up, whose records overwrite each other. The cost of new memory is the difference
 * of the two modes of {@link CaptureBenchmark}. {@link TransportBenchmark} less {@link SystemCallBenchmark} is the same
 * work, measured from outside.
 */
public class RecordingBenchmark extends PartBenchmark {
    private static final long TAG = 0x0123_4567_89ab_cdefL;

    /** Number of packets after which sequence numbers repeat: more than a benchmark sends. */
    private static final long PACKETS = 1L << 30;

    private final ByteBuffer packet = ByteBuffer.allocateDirect(PacketLayout.HEADER_BYTES);
    private final SendBatch outgoing = new SendBatch(TAG, PacketLayout.HEADER_BYTES, 1, false);

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private BenchmarkFiles files;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private SenderCapture sender;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private ReceiverCapture receiver;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private PacketAccounting accounting;

    private long sequence = -PACKETS;

    @Setup
    public void create() throws IOException {
        files = BenchmarkFiles.inMemory();
        sender = SenderCapture.create(files.of(SenderCapture.FILE_NAME), 1, false);
        receiver = ReceiverCapture.create(files.of(ReceiverCapture.FILE_NAME), 1, false);
        accounting = new PacketAccounting(TAG, new Phases(PACKETS, 1, 0), receiver);
    }

    @TearDown
    public void delete() throws IOException {
        sender.close();
        receiver.close();
        files.delete();
    }

    /** The sender's work with Java's channels. */
    @Benchmark
    public void sent() {
        outgoing.prepare(next(), SenderCapture.UNSCHEDULED);
        outgoing.beforeCall();
        outgoing.afterCall();
        outgoing.sent(1, sender);
    }

    /** The sender's work in Java if the send call reads the clock in C. */
    @Benchmark
    public void sentStamped() {
        outgoing.prepare(next(), SenderCapture.UNSCHEDULED);
        outgoing.stamps().putLong(0, sequence).putLong(Long.BYTES, sequence);
        outgoing.sent(1, sender);
    }

    /** The receiver's work with Java's channels, and writing the packet's header. */
    @Benchmark
    public void received() {
        PacketLayout.putIdentity(packet, 0, TAG, next());
        accounting.packet(packet, 0, RealtimeClock.nowNs(), PacketAccounting.NO_STAMP);
    }

    /** The receiver's work in Java if the receive call reads the clock in C. */
    @Benchmark
    public void receivedStamped() {
        PacketLayout.putIdentity(packet, 0, TAG, next());
        accounting.packet(packet, 0, sequence, PacketAccounting.NO_STAMP);
    }

    private long next() {
        sequence = sequence == -1 ? -PACKETS : sequence + 1;
        return sequence;
    }
}
