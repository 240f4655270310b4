package org.lagbench.native1394;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.Phases;

@EnabledIf(value = StreamRun.IS_POSSIBLE, disabledReason = StreamRun.NO_LIBRARY)
class AllocationTest {
    private static final int PACKETS = 8_000;

    /** The packets of a round: 25 full batches of the sender. */
    private static final int ROUND_PACKETS = 800;

    /** A queue for all packets, so that none is lost however long the receiving thread has no CPU. */
    private static final Map<String, String> ALL_FIT = Map.of("receive-queue-packets", "8192");

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Path directory;

    AllocationTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /**
     * At least one of many rounds allocates nothing: an object per batch would show in all. A round may load a class.
     */
    @Test
    void allocatesNothingPerPacket() throws Exception {
        Ieee1394Transport transport = new Ieee1394Transport();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (ReceiverCapture received = ReceiverCapture.create(directory.resolve("r"), PACKETS, true);
                SenderCapture sent = SenderCapture.create(directory.resolve("s"), PACKETS, true);
                PacketSender sender = transport.openSender(StreamRun.run(24, ALL_FIT));
                PacketReceiver receiver = transport.openReceiver(StreamRun.receiver(24, ALL_FIT, sender))) {
            PacketAccounting accounting = new PacketAccounting(StreamRun.TAG, new Phases(0, PACKETS, 0), received);
            sender.connect(receiver.announce());
            Future<Long> receiving = executor.submit(() -> receive(receiver, accounting));

            assertThat(send(sender, sent)).as("bytes allocated by the sender").isZero();
            assertThat(receiving.get()).as("bytes allocated by the receiver").isZero();
        } finally {
            executor.shutdownNow();
        }
    }

    /** Returns the smallest number of bytes that a round allocated. */
    private long send(PacketSender sender, SenderCapture sent) throws IOException {
        long min = Long.MAX_VALUE;
        for (int first = 0; first < PACKETS; first += ROUND_PACKETS) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = first; i < first + ROUND_PACKETS; i++) {
                sender.send(i, SenderCapture.UNSCHEDULED, sent);
            }
            min = Math.min(min, threads.getCurrentThreadAllocatedBytes() - before);
        }
        sender.flush();
        return min;
    }

    /** Returns the smallest number of bytes that a round allocated. */
    private long receive(PacketReceiver receiver, PacketAccounting accounting) throws IOException {
        long min = Long.MAX_VALUE;
        while (accounting.received() + ROUND_PACKETS <= PACKETS) {
            long roundEnd = accounting.received() + ROUND_PACKETS;
            long before = threads.getCurrentThreadAllocatedBytes();
            while (accounting.received() < roundEnd) {
                receiver.receive(accounting);
            }
            min = Math.min(min, threads.getCurrentThreadAllocatedBytes() - before);
        }
        while (!accounting.isComplete()) {
            receiver.receive(accounting);
        }
        return min;
    }
}
