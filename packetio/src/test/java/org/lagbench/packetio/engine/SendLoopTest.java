package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideBuilder;
import org.lagbench.packetio.transport.SideConfig;

class SendLoopTest {
    private static final long TAG = 0x1234_5678_9abc_def0L;

    private final Path directory;

    SendLoopTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @EnumSource
    void allocatesNothingPerPacket(Pace.Mode mode) throws Exception {
        int warmUpPackets = 10_000;
        int packets = 20_000;
        Pace pace = mode == Pace.Mode.FLOOD ? Pace.flood() : new Pace(mode, 10_000);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (SenderCapture capture = capture(packets);
                PacketReceiver silent = receiver();
                SendLoop loop = new SendLoop(sender(), run(warmUpPackets, packets, 0), capture)) {
            loop.connect(silent.announce());
            loop.send(-warmUpPackets, 0, pace);
            long before = threads.getCurrentThreadAllocatedBytes();
            loop.send(0, packets, pace);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(capture.records()).isEqualTo(packets);
            // an object for each packet would need 16 bytes or more; starting the pacer allocates less in total
            assertThat(allocated).as("bytes for all %s packets", packets).isLessThan(16L * packets / 4);
        }
    }

    @Test
    void recordsEachPacketOnceWhereverTheWarmUpEnds() throws Exception {
        try (SenderCapture capture = capture(1_000);
                PacketReceiver silent = receiver();
                SendLoop loop = new SendLoop(sender(), run(300, 1_000, 50), capture)) {
            loop.connect(silent.announce());
            loop.send(-300, -77, Pace.flood());
            assertThat(loop.lastIndex()).isEqualTo(-78);
            assertThat(capture.records()).isZero();
            loop.send(-77, 1_050, Pace.flood());
            assertThat(loop.lastIndex()).isEqualTo(1_049);
            assertThat(loop.metadata()).containsKey(ThreadCpuTime.METADATA_NAME);
        }
        try (CaptureReader reader = CaptureReader.open(directory.resolve(SenderCapture.FILE_NAME))) {
            assertThat(reader.records()).isEqualTo(1_000);
            for (int i = 0; i < 1_000; i++) {
                assertThat(reader.value(i, reader.field("seq"))).isEqualTo(i);
            }
        }
    }

    @Test
    void flushesBeforeAndAfterRecordedPackets() throws Exception {
        List<String> calls = new ArrayList<>();
        PacketSender listing = (PacketSender) Proxy.newProxyInstance(
                PacketSender.class.getClassLoader(),
                new Class<?>[] {PacketSender.class},
                (proxy, method, arguments) -> {
                    calls.add(method.getName() + (method.getName().equals("send") ? " " + arguments[0] : ""));
                    return null;
                });
        try (SenderCapture capture = capture(2);
                SendLoop loop = new SendLoop(listing, run(2, 2, 2), capture)) {
            loop.send(-2, 4, Pace.flood());
        }
        assertThat(String.join(", ", calls))
                .isEqualTo("send -2, send -1, push, send 0, send 1, push, send -4, send -3, push, flush, close");
    }

    private SenderCapture capture(long packets) throws Exception {
        return SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), packets, false);
    }

    /** Returns a receiver whose socket buffers packets, which are never read. */
    private static PacketReceiver receiver() throws Exception {
        return udp().openReceiver(run(0, 1, 0));
    }

    private static PacketSender sender() throws Exception {
        return udp().openSender(run(0, 1, 0));
    }

    private static PacketTransport udp() throws Exception {
        return PacketTransport.of(Transports.load().named("udp"));
    }

    private static SideConfig run(long warmUp, long recorded, long leadOut) throws Exception {
        return new SideBuilder("udp", TAG, 396, Map.of())
                .phases(warmUp, recorded, leadOut)
                .build();
    }
}
