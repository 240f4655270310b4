package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureFormat;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.model.Transports;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.Phases;
import org.lagbench.packetio.transport.SideBuilder;
import org.lagbench.packetio.transport.SideConfig;

class ReceiveLoopTest {
    private static final long TAG = 0x1234_5678_9abc_def0L;
    private static final int WARM_UP = 10_000;
    private static final int PACKETS = 20_000;

    /** The most packets in flight, few enough for the smallest receive buffer of Linux. */
    private static final int IN_FLIGHT = 16;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Path directory;

    ReceiveLoopTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp"})
    void allocatesNothingPerPacket(String name) throws Exception {
        PacketTransport transport = PacketTransport.of(Transports.load().named(name));
        SideConfig run = new SideBuilder(name, TAG, 396, Map.of()).build();
        try (SenderCapture sent = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), PACKETS, false);
                ReceiverCapture received =
                        ReceiverCapture.create(directory.resolve(ReceiverCapture.FILE_NAME), PACKETS, false)) {
            PacketAccounting accounting = new PacketAccounting(TAG, new Phases(WARM_UP, PACKETS, 0), received);
            try (ReceiveLoop loop = new ReceiveLoop(transport.openReceiver(run), accounting, why -> {});
                    PacketSender sender = transport.openSender(run)) {
                loop.start();
                sender.connect(loop.announce());
                send(sender, sent, accounting, -WARM_UP, 1);
                long thread = intakeThread();
                long before = threads.getThreadAllocatedBytes(thread);
                send(sender, sent, accounting, 1, PACKETS);
                long allocated = threads.getThreadAllocatedBytes(thread) - before;
                loop.drain(60_000);

                assertThat(loop.counts().distinct()).isEqualTo(PACKETS);
                assertThat(loop.metadata()).containsKey(ThreadCpuTime.METADATA_NAME);
                // an object for each packet would need 16 bytes or more; the JVM itself allocates less in total
                assertThat(allocated).as("bytes for all %s packets", PACKETS).isLessThan(16L * PACKETS / 4);
            }
        }
    }

    @Test
    void countsHeldPacketsAfterTheDrain() throws Exception {
        try (ReceiverCapture received =
                ReceiverCapture.create(directory.resolve(ReceiverCapture.FILE_NAME), 4, false)) {
            PacketAccounting accounting = new PacketAccounting(TAG, new Phases(0, 4, 0), received);
            HoldingBack receiver = new HoldingBack(3);
            try (ReceiveLoop loop = new ReceiveLoop(receiver, accounting, why -> {})) {
                loop.start();
                loop.drain(10);
                assertThat(loop.isDrained()).isTrue();
                assertThat(loop.counts().distinct()).isEqualTo(3);
                assertThat(loop.metadata()).containsEntry("closed", true).containsEntry("refuses", true);
            }
            assertThat(received.records()).isEqualTo(3);
        }
    }

    /** A receiver of chunks closes its files in the receiving thread. */
    @Test
    void receivesTheEndIfClosedBeforeTheStart() throws Exception {
        AtomicBoolean hasEnded = new AtomicBoolean();
        PacketReceiver receiver = new PacketReceiver() {
            @Override
            public int receive(PacketAccounting accounting) {
                hasEnded.set(true);
                return END;
            }

            @Override
            public void close() {}
        };
        try (ReceiverCapture received =
                ReceiverCapture.create(directory.resolve(ReceiverCapture.FILE_NAME), 1, false)) {
            ReceiveLoop loop =
                    new ReceiveLoop(receiver, new PacketAccounting(TAG, new Phases(0, 1, 0), received), why -> {});
            loop.close();
            loop.start();
        }
        assertThat(hasEnded).isTrue();
    }

    /** The JVM throws an InternalError for a fault in a mapping, at a later instruction. */
    @ParameterizedTest
    @ValueSource(longs = {CaptureFormat.HEADER_BYTES, 0})
    void failsWhenCaptureIsTruncated(long bytes) throws Exception {
        Path file = directory.resolve(ReceiverCapture.FILE_NAME);
        ReceiverCapture received = ReceiverCapture.create(file, 1_000_000, false);
        CompletableFuture<String> failure = new CompletableFuture<>();
        CountDownLatch truncated = new CountDownLatch(1);
        PacketAccounting accounting = new PacketAccounting(TAG, new Phases(0, 1_000_000, 0), received);
        try (ReceiveLoop loop = new ReceiveLoop(new Endless(truncated), accounting, failure::complete)) {
            loop.start();
            try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
                other.truncate(bytes);
            }
            truncated.countDown();
            assertThat(failure.get(60, TimeUnit.SECONDS)).contains(file.toString(), "truncated");
        }
        assertThatThrownBy(received::close).hasMessage("another program has truncated " + file);
    }

    /** A receiver to which packets arrive from an event until it is closed. */
    private static final class Endless implements PacketReceiver {
        private final CountDownLatch begin;
        private volatile boolean closed;
        private long sequence;

        Endless(CountDownLatch begin) {
            this.begin = begin;
        }

        @Override
        public Map<String, String> announce() {
            return Map.of();
        }

        @Override
        public int receive(PacketAccounting accounting) throws IOException {
            try {
                begin.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            ByteBuffer packet = ByteBuffer.allocate(PacketLayout.HEADER_BYTES);
            PacketLayout.putIdentity(packet, 0, TAG, sequence);
            sequence = (sequence + 1) % 500_000;
            accounting.packet(packet, 0, System.nanoTime(), PacketAccounting.NO_STAMP);
            return closed ? END : 1;
        }

        @Override
        public Map<String, Object> metadata() {
            return Map.of();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** A receiver that holds packets until it is closed. */
    private static final class HoldingBack implements PacketReceiver {
        private final CompletableFuture<Void> closed = new CompletableFuture<>();
        private int left;
        private boolean refuses;

        HoldingBack(int packets) {
            left = packets;
        }

        @Override
        public Map<String, String> announce() {
            return Map.of();
        }

        @Override
        public int receive(PacketAccounting accounting) {
            closed.join();
            if (left == 0) {
                return END;
            }
            ByteBuffer packet = ByteBuffer.allocate(PacketLayout.HEADER_BYTES);
            for (; left > 0; left--) {
                PacketLayout.putIdentity(packet, 0, TAG, left - 1);
                accounting.packet(packet, 0, 1, PacketAccounting.NO_STAMP);
            }
            return 3;
        }

        @Override
        public boolean canHoldPackets() {
            return true;
        }

        @Override
        public Map<String, Object> metadata() {
            return Map.of("closed", closed.isDone(), "refuses", refuses);
        }

        @Override
        public void refuseLatePackets() {
            refuses = true;
        }

        @Override
        public void close() {
            closed.complete(null);
        }
    }

    private static void send(PacketSender sender, SenderCapture sent, PacketAccounting accounting, long first, long end)
            throws Exception {
        for (long sequence = first; sequence < end; sequence++) {
            sender.send(sequence, SenderCapture.UNSCHEDULED, sent);
            sender.push();
            while (accounting.warmUpReceived() + accounting.received() + IN_FLIGHT < sequence + 1 + WARM_UP) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
            }
        }
    }

    private long intakeThread() {
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().equals("packets"))
                .findFirst()
                .orElseThrow()
                .getThreadId();
    }
}
