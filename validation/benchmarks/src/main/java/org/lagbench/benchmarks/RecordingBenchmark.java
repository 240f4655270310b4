package org.lagbench.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.socket.SendBatch;
import org.lagbench.packetio.transport.TransportRun;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Recording: all that is done of a packet beyond the system call that sends or receives it. The sender makes the
 * header, reads the clock before the call and after it, and appends a record; the receiver reads the clock, looks at
 * the header, counts and appends a record. What of it is reading the clock is in {@link ClockBenchmark}.
 *
 * <p>The packets are those of a warm-up, which go the same way as recorded ones, but each record is written over by the
 * next: what new memory takes for each is the difference of the two modes of {@link CaptureBenchmark}. The whole can be
 * seen from outside as well: {@link TransportBenchmark} less {@link SystemCallBenchmark} is recording on both sides.
 */
public class RecordingBenchmark extends PartBenchmark {
    private static final long TAG = 0x0123_4567_89ab_cdefL;

    /** After so many, sequence numbers begin again, as copies: not in the usual time. */
    private static final long PACKETS = 1L << 30;

    private final ByteBuffer packet = ByteBuffer.allocateDirect(PacketLayout.HEADER_BYTES);
    private final SendBatch outgoing =
            new SendBatch(new TransportRun(TAG, 24, "127.0.0.1", Settings.of(List.of(), Map.of())), 1, false);

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private BenchmarkFiles files;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private SenderCapture sender;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private ReceiverCapture receiver;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private PacketAccounting accounting;

    private long sequence = -PACKETS;

    /** Makes captures. */
    @Setup
    public void create() throws IOException {
        files = BenchmarkFiles.inMemory();
        sender = SenderCapture.create(files.of(SenderCapture.FILE_NAME), 1, false);
        receiver = ReceiverCapture.create(files.of(ReceiverCapture.FILE_NAME), 1, false);
        accounting = new PacketAccounting(TAG, 1, PACKETS, receiver);
    }

    /** Deletes them. */
    @TearDown
    public void delete() throws IOException {
        sender.close();
        receiver.close();
        files.delete();
    }

    /** All that a sender does by Java's channels. */
    @Benchmark
    public void sent() {
        outgoing.prepare(next(), SenderCapture.UNSCHEDULED);
        outgoing.beforeCall();
        outgoing.afterCall();
        outgoing.sent(1, sender);
    }

    /** What is left for Java to do where the call that sends reads the clock itself, in C. */
    @Benchmark
    public void sentStamped() {
        outgoing.prepare(next(), SenderCapture.UNSCHEDULED);
        outgoing.stamps().putLong(0, sequence).putLong(Long.BYTES, sequence);
        outgoing.sent(1, sender);
    }

    /** All that a receiver does by Java's channels, and putting into the packet what the call would have put there. */
    @Benchmark
    public void received() {
        PacketLayout.putIdentity(packet, 0, TAG, next());
        accounting.packet(packet, 0, RealtimeClock.nowNs(), PacketAccounting.NO_STAMP);
    }

    /** The same where the call reads the clock itself, in C. */
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
