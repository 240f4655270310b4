package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.Transports;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.StageRecording;
import org.lagbench.packetio.transport.TransportRun;

@Timeout(120)
class AllocationTest {
    private static final long TAG = 0x1234_5678_9abc_def0L;
    private static final int WARM_UP = 10_000;
    private static final int PACKETS = 20_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"1, none, 1", "1, none, 16", "16, none, 16", "1, 1s, 1", "16, 50us, 16"})
    void aDatagramThatCallsOfTheSystemMoveAllocatesNothing(String batch, String busyPoll, int most) throws Exception {
        Map<String, String> settings = Map.of("batch", batch, "busy-poll", busyPoll);
        moveAll("udp", settings, most);
    }

    @Test
    void aPacketOfAStreamThatCallsOfTheSystemMoveAllocatesNothing() throws Exception {
        moveAll("tcp", Map.of(), 1);
    }

    /** @param most how many packets go together */
    private void moveAll(String name, Map<String, String> given, int most) throws Exception {
        PacketTransport transport = PacketTransport.of(Transports.load().named(name));
        TransportRun run = new TransportRun(TAG, 396, "127.0.0.1", Settings.of(transport.settings(), given));
        try (SenderCapture sent = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), PACKETS, false);
                ReceiverCapture received =
                        ReceiverCapture.create(directory.resolve(ReceiverCapture.FILE_NAME), PACKETS, false);
                PacketReceiver receiver = transport.openReceiver(run, Map.of());
                PacketSender sender = transport.openSender(run)) {
            PacketAccounting arrivals = new PacketAccounting(TAG, PACKETS, WARM_UP, received);
            sender.connect(receiver.announce());
            long before = 0;
            for (long sequence = -WARM_UP; sequence < PACKETS; sequence++) {
                if (sequence == 0) {
                    before = threads.getCurrentThreadAllocatedBytes();
                }
                sender.send(sequence, SenderCapture.UNSCHEDULED, sent);
                if ((sequence + WARM_UP + 1) % most == 0) {
                    sender.push();
                    while (arrivals.warmUpReceived() + arrivals.received() < sequence + WARM_UP + 1) {
                        receiver.receive(arrivals);
                    }
                }
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated).as("bytes for all %s packets", PACKETS).isLessThan(PACKETS);
        }
    }

    /** The thread that sends and receives; those that take stamps and look at buffers beside it are not per packet. */
    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp"})
    void aPacketWhoseStagesAreRecordedAllocatesNothing(String name) throws Exception {
        PacketTransport transport = PacketTransport.of(Transports.load().named(name));
        TransportRun run = new TransportRun(TAG, 396, "127.0.0.1", Settings.of(transport.settings(), Map.of()))
                .recording(new StageRecording(directory, PACKETS, WARM_UP));
        try (SenderCapture sent = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), PACKETS, false);
                ReceiverCapture received =
                        ReceiverCapture.createWithKernelStamps(directory.resolve(ReceiverCapture.FILE_NAME), PACKETS);
                PacketReceiver receiver = transport.openReceiver(run, Map.of());
                PacketSender sender = transport.openSender(run)) {
            PacketAccounting arrivals = new PacketAccounting(TAG, PACKETS, WARM_UP, received);
            sender.connect(receiver.announce());
            long before = 0;
            for (long sequence = -WARM_UP; sequence < PACKETS; sequence++) {
                if (sequence == 0) {
                    before = threads.getCurrentThreadAllocatedBytes();
                }
                sender.send(sequence, SenderCapture.UNSCHEDULED, sent);
                sender.push();
                while (arrivals.warmUpReceived() + arrivals.received() < sequence + WARM_UP + 1) {
                    receiver.receive(arrivals);
                }
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            sender.endStages();
            receiver.endStages();
            // the least object has 16 bytes; what is left is the JVM's own, once
            assertThat(allocated).as("bytes for all %s packets", PACKETS).isLessThan(PACKETS);
        }
    }
}
