package org.lagbench.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.Phases;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Sends and receives one packet on one thread with the classes of a run, over loopback or the virtual bus. On the bus a
 * batch has as many packets as a system call returns.
 */
public class TransportBenchmark extends PartBenchmark {
    private static final long TAG = 0x0123_4567_89ab_cdefL;

    /** Number of packets after which sequence numbers repeat; the usual time is shorter. */
    private static final long PACKETS = 1L << 28;

    @Param({"udp", "tcp"})
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public String transport;

    /** The API of the sockets; without effect on the bus. */
    @Param({"CHANNELS", "SYSTEM_CALLS"})
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public SocketApi calls;

    /** Size of a packet. */
    @Param({"24", "992"})
    public int packetBytes;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private BenchmarkFiles files;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private SenderCapture sent;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private ReceiverCapture received;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private PacketSender sender;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private PacketReceiver receiver;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private PacketAccounting accounting;

    private long sequence = -PACKETS;
    private long sentPackets;

    @Setup
    public void open() throws IOException, LagbenchException {
        SideConfig run = side(transport, TAG, packetBytes, calls, Map.of());
        PacketTransport opened = PacketTransport.of(run.transport());
        files = BenchmarkFiles.inMemory();
        sent = SenderCapture.create(files.of(SenderCapture.FILE_NAME), 1, opened.wire() == Wire.BUS);
        received = ReceiverCapture.create(files.of(ReceiverCapture.FILE_NAME), 1, opened.wire() == Wire.BUS);
        sender = opened.openSender(run);
        receiver = opened.openReceiver(side(transport, TAG, packetBytes, calls, sender.announce()));
        accounting = new PacketAccounting(TAG, new Phases(PACKETS, 1, 0), received);
        sender.connect(receiver.announce());
    }

    /** Returns the configuration of both sides of a run over a transport, with its default settings. */
    static SideConfig side(String transport, long tag, int packetBytes, SocketApi calls, Map<String, String> announced)
            throws LagbenchException {
        PacketTransport opened = PacketTransport.of(Transports.load().named(transport));
        Settings settings = Settings.of(opened.settings(), Map.of());
        Point point = new Point(
                transport,
                packetBytes,
                1,
                0,
                new Pace(Pace.Mode.SLEEP, RunParameters.MAXIMUM_INTERVAL_NS / 10, 1),
                TrafficSpec.ONE_WAY,
                settings,
                new EngineSpec("java", JvmOptions.NONE),
                Set.of(),
                RunConditions.DEFAULT);
        Path file = Path.of("no-capture");
        return new SideConfig(
                point,
                opened,
                settings,
                tag,
                0,
                calls,
                "127.0.0.1",
                null,
                LocalEnd.ANY,
                file,
                null,
                null,
                announced,
                null,
                Set.of(InetAddress.getLoopbackAddress()));
    }

    /** Closes the sender and the receiver. */
    @TearDown
    public void close() throws IOException {
        sender.close();
        receiver.close();
        sent.close();
        received.close();
        files.delete();
    }

    /** Sends and receives a packet of a warm-up, whose records are overwritten. */
    @Benchmark
    public void sendAndReceive(Allocation allocation) throws IOException {
        sender.send(sequence, SenderCapture.UNSCHEDULED, sent);
        sender.push();
        sequence = sequence == -1 ? -PACKETS : sequence + 1;
        sentPackets++;
        while (accounting.warmUpReceived() < sentPackets) {
            receiver.receive(accounting);
        }
    }
}
