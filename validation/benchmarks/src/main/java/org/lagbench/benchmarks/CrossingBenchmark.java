package org.lagbench.benchmarks;

import java.io.IOException;
import java.util.Map;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Crosses from Java to C and back for a batch of IEEE-1394 packets, and reads the report of the batch. The batch is
 * already complete, so that the C code does no work. Needs a bus: {@code scripts/lagbench bus scripts/benchmark
 * Crossing}.
 */
public class CrossingBenchmark extends PartBenchmark {
    private static final long TAG = 0x0123_4567_89ab_cdefL;
    private static final int PACKET_BYTES = 24;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private BenchmarkFiles files;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private SenderCapture sent;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private PacketSender sender;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private PacketReceiver receiver;

    /** Sends a packet, so that a batch is complete. */
    @Setup
    public void open() throws IOException, LagbenchException {
        SideConfig run = side(Map.of());
        PacketTransport opened = PacketTransport.of(run.transport());
        files = BenchmarkFiles.inMemory();
        sent = SenderCapture.create(files.of(SenderCapture.FILE_NAME), 1, true);
        sender = opened.openSender(run);
        receiver = opened.openReceiver(side(sender.announce()));
        sender.connect(receiver.announce());
        sender.send(0, SenderCapture.UNSCHEDULED, sent);
        sender.flush();
    }

    private static SideConfig side(Map<String, String> announced) throws LagbenchException {
        return TransportBenchmark.side("ieee1394", TAG, PACKET_BYTES, SocketApi.SYSTEM_CALLS, announced);
    }

    @TearDown
    public void close() throws IOException {
        sender.close();
        receiver.close();
        sent.close();
        files.delete();
    }

    /** Crosses to C and back. */
    @Benchmark
    public void emptyBatch(Allocation allocation) throws IOException {
        sender.flush();
    }
}
