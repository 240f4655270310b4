package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.Phases;

/** A receiver that expects a flood receives several datagrams at a time, each by its own call. */
class FloodReceptionTest {
    private static final int PACKET_BYTES = 101;

    /** No more than the smallest receive buffer holds, 212,992 bytes. */
    private static final int PACKETS = 150;

    private static final Executor WHEN_STUCK = CompletableFuture.delayedExecutor(60, TimeUnit.SECONDS);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Runs runs = new Runs("udp");

    @TempDir
    private Path directory;

    private volatile boolean stuck;

    FloodReceptionTest() throws LagbenchException {}

    @ParameterizedTest
    @ValueSource(strings = {"none", "200us"})
    void stampsEachPacketByItsOwnCall(String busyPoll) throws Exception {
        Path file = directory.resolve(ReceiverCapture.FILE_NAME);
        long queuedNs;
        try (ReceiverCapture capture = ReceiverCapture.create(file, PACKETS, false);
                PacketReceiver receiver = receiver(busyPoll, PACKETS);
                DatagramChannel peer = peer(receiver)) {
            PacketAccounting accounting = new PacketAccounting(Runs.TAG, new Phases(0, PACKETS, 0), capture);
            send(peer, 0, PACKETS);
            queuedNs = RealtimeClock.nowNs();
            while (!accounting.isComplete()) {
                assertThat(take(receiver, accounting)).isBetween(1, 16);
            }
        }
        try (CaptureReader received = CaptureReader.open(file)) {
            List<Long> stamps = new ArrayList<>();
            for (int i = 0; i < PACKETS; i++) {
                assertThat(received.value(i, received.field("seq"))).isEqualTo(i);
                stamps.add(received.value(i, received.field("received_ns")));
            }
            assertThat(stamps).first().satisfies(first -> assertThat(first).isGreaterThan(queuedNs));
            assertThat(stamps).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void returnsAtMostABatch() throws Exception {
        try (ReceiverCapture capture =
                        ReceiverCapture.create(directory.resolve(ReceiverCapture.FILE_NAME), PACKETS, false);
                PacketReceiver receiver = receiver(Map.of("batch", "16", "busy-poll", "200us"), PACKETS);
                DatagramChannel peer = peer(receiver)) {
            PacketAccounting accounting = new PacketAccounting(Runs.TAG, new Phases(0, PACKETS, 0), capture);
            send(peer, 0, PACKETS);
            while (!accounting.isComplete()) {
                assertThat(take(receiver, accounting)).isBetween(0, 16);
            }
            assertThat(accounting.counts().foreign()).isZero();
        }
    }

    /** Usually one call returns all; each time this thread is preempted, a call may return a single one. */
    @Test
    void returnsPacketsInQuickSuccessionTogether() throws Exception {
        int maxAtOnce = 0;
        for (int round = 0; round < 1_000 && maxAtOnce < 2; round++) {
            Path file = directory.resolve(round + ".npy");
            try (ReceiverCapture capture = ReceiverCapture.create(file, PACKETS, false);
                    PacketReceiver receiver = receiver("none", PACKETS);
                    DatagramChannel peer = peer(receiver)) {
                PacketAccounting accounting = new PacketAccounting(Runs.TAG, new Phases(0, PACKETS, 0), capture);
                send(peer, 0, PACKETS);
                while (!accounting.isComplete()) {
                    maxAtOnce = Math.max(maxAtOnce, take(receiver, accounting));
                }
            }
        }
        assertThat(maxAtOnce).isBetween(2, 16);
    }

    @Test
    void returnsPacketsReceivedBeforeClosing() throws Exception {
        PacketReceiver receiver = receiver("none", PACKETS);
        try (ReceiverCapture capture =
                        ReceiverCapture.create(directory.resolve(ReceiverCapture.FILE_NAME), PACKETS, false);
                DatagramChannel peer = peer(receiver)) {
            PacketAccounting accounting = new PacketAccounting(Runs.TAG, new Phases(0, PACKETS, 0), capture);
            send(peer, 0, 100); // the flood's last packet is not among them
            CompletableFuture<Void> ended = inBackground(() -> receiveAll(receiver, accounting));
            try {
                await().atMost(Duration.ofMinutes(2)).until(() -> queuedBytes(receiver) == 0);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // usually the receiver waits again by then
                assertThat(receiver.canHoldPackets()).isTrue();
            } finally {
                receiver.close();
            }
            ended.get(60, TimeUnit.SECONDS);
            assertThat(accounting.received() + accounting.counts().foreign()).isEqualTo(100);
        }
    }

    @Test
    void allocatesNothingPerPacket() throws Exception {
        int packets = 30_000;
        try (ReceiverCapture capture =
                        ReceiverCapture.create(directory.resolve(ReceiverCapture.FILE_NAME), packets, false);
                PacketReceiver receiver = receiver("none", packets);
                DatagramChannel peer = peer(receiver)) {
            PacketAccounting accounting = new PacketAccounting(Runs.TAG, new Phases(0, packets, 0), capture);
            CompletableFuture<Void> sending = inBackground(() -> sendNoMoreThanFits(peer, packets, accounting));
            while (accounting.received() < packets / 3) {
                take(receiver, accounting);
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            while (!accounting.isComplete()) {
                take(receiver, accounting);
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            sending.get(60, TimeUnit.SECONDS);
            assertThat(allocated).as("bytes for most of %s packets", packets).isLessThan(packets / 2);
        }
    }

    private PacketReceiver receiver(String busyPoll, int packets) throws LagbenchException {
        return receiver(Map.of("busy-poll", busyPoll), packets);
    }

    private PacketReceiver receiver(Map<String, String> settings, int packets) throws LagbenchException {
        PacketReceiver receiver = runs.receiver(
                runs.side(PACKET_BYTES, settings).phases(0, packets, 0).flood().build());
        WHEN_STUCK.execute(() -> {
            stuck = true;
            receiver.close(); // interrupting the thread would not end a wait in C code
        });
        return receiver;
    }

    /** Returns how many packets one call received; fails if only a close ended the call. */
    private int take(PacketReceiver receiver, PacketAccounting accounting) throws IOException {
        int given = receiver.receive(accounting);
        if (stuck) {
            throw new AssertionError("it waited in vain; with those given then there are " + accounting.received());
        }
        return given;
    }

    private static CompletableFuture<Void> inBackground(Runnable task) {
        return CompletableFuture.runAsync(task, run -> {
            Thread thread = new Thread(run, "in the background");
            thread.setDaemon(true);
            thread.start();
        });
    }

    private static DatagramChannel peer(PacketReceiver receiver) throws IOException {
        return DatagramChannel.open().connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port(receiver)));
    }

    private static int port(PacketReceiver receiver) {
        return Integer.parseInt(receiver.announce().get("port"));
    }

    /**
     * Returns the bytes in the receive queue, as /proc/net/udp lists them: number, local address and port, remote ones,
     * state, send and receive queue, all in hexadecimal.
     */
    private static long queuedBytes(PacketReceiver receiver) throws IOException {
        String port = String.format("%04X", port(receiver));
        try (Stream<String> sockets = Files.lines(Path.of("/proc/net/udp"))) {
            return sockets.map(socket -> socket.strip().split("[\\s:]+"))
                    .filter(fields -> fields[2].equals(port))
                    .mapToLong(fields -> Long.parseLong(fields[7], 16))
                    .sum();
        }
    }

    private static void send(DatagramChannel peer, long first, long end) throws IOException {
        ByteBuffer packet = ByteBuffer.allocateDirect(PACKET_BYTES);
        for (long sequence = first; sequence < end; sequence++) {
            PacketLayout.putIdentity(packet.clear(), 0, Runs.TAG, sequence);
            peer.write(packet);
        }
    }

    private static void sendNoMoreThanFits(DatagramChannel peer, long packets, PacketAccounting accounting) {
        try {
            for (long sequence = 0; sequence < packets; sequence++) {
                send(peer, sequence, sequence + 1);
                while (accounting.received() + PACKETS <= sequence) {
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void receiveAll(PacketReceiver receiver, PacketAccounting accounting) {
        try {
            int given = 0;
            while (given != PacketReceiver.END) {
                given = receiver.receive(accounting);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
