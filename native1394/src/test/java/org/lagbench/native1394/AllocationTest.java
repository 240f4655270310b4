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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.transport.Arrivals;
import org.lagbench.core.transport.PacketReceiver;
import org.lagbench.core.transport.PacketSender;

@Timeout(120)
class AllocationTest {
    private static final int PACKETS = 8_000;
    private static final int MEASURED_FROM = 4_000;

    /** The least object has 16 bytes. */
    private static final long ONE_A_PACKET_BYTES = 16L * (PACKETS - MEASURED_FROM);

    /** Nothing is lost, however long the receiving thread has no CPU. */
    private static final Map<String, String> ALL_FIT = Map.of("receive-queue-packets", "8192");

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Path directory;

    AllocationTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void sendingAndReceivingAllocateNothing() throws Exception {
        Ieee1394Transport transport = new Ieee1394Transport();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (ReceiverCapture received = ReceiverCapture.create(directory.resolve("r"), PACKETS, true);
                SenderCapture sent = SenderCapture.create(directory.resolve("s"), PACKETS, true);
                PacketSender sender = transport.openSender(StreamRun.run(24, ALL_FIT));
                PacketReceiver receiver = transport.openReceiver(StreamRun.run(24, ALL_FIT), sender.announce())) {
            Arrivals arrivals = new Arrivals(StreamRun.TAG, PACKETS, 0, received);
            sender.connect(receiver.announce());
            Future<Long> receiving = executor.submit(() -> receive(receiver, arrivals));
            long before = 0;
            for (int i = 0; i < PACKETS; i++) {
                if (i == MEASURED_FROM) {
                    before = threads.getCurrentThreadAllocatedBytes();
                }
                sender.send(i, SenderCapture.UNSCHEDULED, sent);
            }
            sender.flush();
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            // Asking for the figure may itself allocate a little: what matters is that it is none per packet.
            assertThat(allocated).as("bytes allocated by the sender").isLessThan(ONE_A_PACKET_BYTES / 4);
            assertThat(receiving.get()).as("bytes allocated by the receiver").isLessThan(ONE_A_PACKET_BYTES / 4);
        } finally {
            executor.shutdownNow();
        }
    }

    private long receive(PacketReceiver receiver, Arrivals arrivals) throws IOException {
        while (arrivals.received() < MEASURED_FROM) {
            receiver.receive(arrivals);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        while (!arrivals.isComplete()) {
            receiver.receive(arrivals);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
