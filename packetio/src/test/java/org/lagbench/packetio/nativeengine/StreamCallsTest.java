package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.transport.Calls;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.TransportRun;

/** Sending and receiving over TCP by the operating system's calls, beside channels and the twin. */
@Timeout(120)
class StreamCallsTest {
    private static final int PACKET_BYTES = 101;
    private static final int WARM_UP = 20;

    /** As a channel tells it: without what a failure of a call is told with. */
    private static final String GONE =
            "The receiver 127\\.0\\.0\\.1:\\d+ ended the TCP connection: (Broken pipe|Connection reset by peer)";

    @TempDir
    private Path directory;

    private final Runs runs = new Runs("tcp");

    StreamCallsTest() throws LagbenchException {}

    /** The large ones are more than a read takes at a time. */
    @ParameterizedTest
    @CsvSource({
        "native, native, 24, 3000",
        "native, channel, 24, 3000",
        "channel, native, 24, 3000",
        "native, c, 24, 3000",
        "c, native, 24, 3000",
        "native, native, 300001, 50",
        "native, c, 300001, 50",
        "c, native, 300001, 50"
    })
    void everyPacketArrivesOnceInOrderBetweenTheStampsOfItsCalls(String from, String to, int packetBytes, int packets)
            throws Exception {
        Path senders = directory.resolve(SenderCapture.FILE_NAME);
        Path receivers = directory.resolve(ReceiverCapture.FILE_NAME);
        TransportRun sending = runs.run(packetBytes, Map.of(), calls(from));
        TransportRun receiving = runs.run(packetBytes, Map.of(), calls(to));
        long beginNs = RealtimeClock.nowNs();
        try (ReceiverCapture capture = ReceiverCapture.create(receivers, packets, false)) {
            if (to.equals("c")) {
                EngineConfig path = runs.ofTwin(receiving, packets, WARM_UP, receivers);
                try (NativeReceiveEngine twin = runs.twinReceiver(path, capture)) {
                    sendAll(from, sending, packets, twin.announce(), senders);
                    twin.drain(60_000);
                    assertThat(twin.tally().warmUpReceived()).isEqualTo(WARM_UP);
                }
            } else {
                try (PacketReceiver receiver = runs.receiver(receiving)) {
                    PacketAccounting arrivals = new PacketAccounting(Runs.TAG, packets, WARM_UP, capture);
                    CompletableFuture<Integer> end = receiveAll(receiver, arrivals);
                    sendAll(from, sending, packets, receiver.announce(), senders);
                    assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(PacketReceiver.END);
                    assertThat(arrivals.isComplete()).isTrue();
                    assertThat(arrivals.warmUpReceived()).isEqualTo(WARM_UP);
                    assertThat(arrivals.foreign()).isZero();
                }
            }
        }
        long endNs = RealtimeClock.nowNs();

        try (CaptureReader sent = CaptureReader.open(senders);
                CaptureReader received = CaptureReader.open(receivers)) {
            assertThat(sent.records()).isEqualTo(packets);
            assertThat(received.records()).isEqualTo(packets);
            long beforeNs = beginNs;
            for (int i = 0; i < packets; i++) {
                assertThat(sent.value(i, sent.field("seq"))).isEqualTo(i);
                assertThat(received.value(i, received.field("seq"))).isEqualTo(i);
                long sentNs = sent.value(i, sent.field("sent_ns"));
                long returnedNs = sent.value(i, sent.field("returned_ns"));
                long receivedNs = received.value(i, received.field("received_ns"));
                assertThat(new long[] {beforeNs, sentNs, returnedNs, endNs}).isSorted();
                assertThat(new long[] {sentNs, receivedNs, endNs}).isSorted();
                beforeNs = returnedNs;
            }
        }
    }

    private void sendAll(String from, TransportRun run, int packets, Map<String, String> receiver, Path file)
            throws Exception {
        try (SenderCapture capture = SenderCapture.create(file, packets, false)) {
            if (from.equals("c")) {
                try (NativeSendEngine twin = runs.twinSender(runs.ofTwin(run, packets, WARM_UP, file), capture)) {
                    twin.connect(receiver);
                    twin.send(-WARM_UP, packets, Pace.flood());
                }
            } else {
                try (PacketSender sender = runs.sender(run)) {
                    sender.connect(receiver);
                    send(sender, -WARM_UP, packets, capture);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Calls.class)
    void aPacketCarriesTheSentStampOfItsRecordBetweenReadingsOfTheClockAroundTheCall(Calls calls) throws Exception {
        Path file = directory.resolve(SenderCapture.FILE_NAME);
        ByteBuffer packets = ByteBuffer.allocate(3 * PACKET_BYTES);
        long[] readings = new long[4];
        try (ServerSocketChannel listening =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SenderCapture capture = SenderCapture.create(file, 3, false);
                PacketSender sender = runs.sender(runs.run(PACKET_BYTES, Map.of(), calls))) {
            sender.connect(Map.of("port", Integer.toString(listening.socket().getLocalPort())));
            try (SocketChannel peer = listening.accept()) {
                for (int i = 0; i < 3; i++) {
                    readings[i] = RealtimeClock.nowNs();
                    sender.send(i, readings[i], capture);
                    sender.push();
                }
                readings[3] = RealtimeClock.nowNs();
                while (packets.hasRemaining()) {
                    peer.read(packets);
                }
            }
        }
        try (CaptureReader sent = CaptureReader.open(file)) {
            for (int i = 0; i < 3; i++) {
                long sentNs = sent.value(i, sent.field("sent_ns"));
                long returnedNs = sent.value(i, sent.field("returned_ns"));
                assertThat(PacketLayout.tag(packets, i * PACKET_BYTES)).isEqualTo(Runs.TAG);
                assertThat(PacketLayout.sequence(packets, i * PACKET_BYTES)).isEqualTo(i);
                assertThat(PacketLayout.sentNs(packets, i * PACKET_BYTES)).isEqualTo(sentNs);
                assertThat(sent.value(i, sent.field("scheduled_ns"))).isEqualTo(readings[i]);
                assertThat(new long[] {readings[i], sentNs, returnedNs, readings[i + 1]})
                        .isSorted();
            }
        }
    }

    @Test
    void packetsCutAnywhereAreFramedAndTheEndOfTheStreamIsTheEnd() throws Exception {
        try (ReceiverCapture capture = ReceiverCapture.create(directory.resolve("receiver.npy"), 100, false);
                PacketReceiver receiver = runs.receiver(runs.run(PACKET_BYTES, Map.of()))) {
            PacketAccounting arrivals = new PacketAccounting(Runs.TAG, 100, 0, capture);
            CompletableFuture<Integer> end = receiveAll(receiver, arrivals);
            try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), port(receiver.announce()))) {
                sender.setTcpNoDelay(true);
                OutputStream out = sender.getOutputStream();
                Random random = new Random(5);
                byte[] packet = new byte[PACKET_BYTES];
                for (int sequence = 0; sequence < 60; sequence++) {
                    PacketLayout.putIdentity(ByteBuffer.wrap(packet), 0, Runs.TAG, sequence);
                    int cut = random.nextInt(PACKET_BYTES + 1);
                    out.write(packet, 0, cut);
                    out.write(packet, cut, PACKET_BYTES - cut);
                }
                out.write(packet, 0, PACKET_BYTES - 1);
            }
            assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(PacketReceiver.END);
            assertThat(arrivals.distinct()).isEqualTo(60);
            assertThat(arrivals.foreign()).isZero();
            assertThat(receiver.receive(arrivals)).isEqualTo(PacketReceiver.END);
        }
    }

    @Test
    void aReceiverThatIsKilledIsToldAsByAChannel() throws Exception {
        Path receivers = directory.resolve("receiver.npy");
        TransportRun run = runs.run(PACKET_BYTES, Map.of());
        try (ReceiverCapture capture = ReceiverCapture.create(receivers, 10, false);
                SenderCapture sent = SenderCapture.create(directory.resolve("sender.npy"), 2_000_000, false);
                PacketSender sender = runs.sender(run)) {
            EngineConfig path = runs.ofTwin(run, 2_000_000, WARM_UP, receivers);
            try (NativeReceiveEngine twin = runs.twinReceiver(path, capture)) {
                sender.connect(twin.announce());
                send(sender, -WARM_UP, 0, sent);
                await().atMost(60, TimeUnit.SECONDS).until(() -> twin.tally().warmUpReceived() == WARM_UP);
                Runs.killTwins();
                assertThatThrownBy(() -> send(sender, 0, 2_000_000, sent))
                        .isInstanceOf(IOException.class)
                        .hasMessageMatching(GONE);
            }
        }
    }

    /** What the dead one had not read makes the kernel break the connection off. */
    @Test
    void aSenderThatBreaksOffIsToldAsByAChannel() throws Exception {
        try (ReceiverCapture capture = ReceiverCapture.create(directory.resolve("receiver.npy"), 10, false);
                PacketReceiver receiver = runs.receiver(runs.run(PACKET_BYTES, Map.of()))) {
            PacketAccounting arrivals = new PacketAccounting(Runs.TAG, 10, 0, capture);
            CompletableFuture<Integer> end = receiveAll(receiver, arrivals);
            try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), port(receiver.announce()))) {
                byte[] packet = new byte[PACKET_BYTES];
                PacketLayout.putIdentity(ByteBuffer.wrap(packet), 0, Runs.TAG, 0);
                sender.getOutputStream().write(packet);
                await().atMost(60, TimeUnit.SECONDS).until(() -> arrivals.received() == 1);
                sender.setSoLinger(true, 0);
            }
            assertThatThrownBy(() -> end.get(60, TimeUnit.SECONDS))
                    .hasRootCauseMessage("Connection reset by peer")
                    .cause()
                    .hasMessage("Receiving over TCP on 127.0.0.1 failed: Connection reset by peer");
        }
    }

    @Test
    void closingEndsTheWaitForAPacket() throws Exception {
        try (ReceiverCapture capture = ReceiverCapture.create(directory.resolve("receiver.npy"), 10, false);
                SenderCapture sent = SenderCapture.create(directory.resolve("sender.npy"), 10, false)) {
            TransportRun run = runs.run(PACKET_BYTES, Map.of());
            PacketAccounting arrivals = new PacketAccounting(Runs.TAG, 10, 0, capture);
            PacketReceiver receiver = runs.receiver(run);
            CompletableFuture<Integer> end = receiveAll(receiver, arrivals);
            try (PacketSender sender = runs.sender(run)) {
                sender.connect(receiver.announce());
                send(sender, 0, 1, sent);
                await().atMost(60, TimeUnit.SECONDS).until(() -> arrivals.received() == 1);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // as a rule it waits by then
                assertThat(end).isNotDone();
                receiver.close();
                receiver.close();
                assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(PacketReceiver.END);
                assertThat(receiver.receive(arrivals)).isEqualTo(PacketReceiver.END);
            }
        }
    }

    /** Sent is what was taken whole, and the kernel delivers it though the connection is closed. */
    @ParameterizedTest
    @EnumSource(Calls.class)
    void closingEndsASendThatTheReceiverHoldsAndItsPacketIsNotSent(Calls calls) throws Exception {
        int packetBytes = 1 << 20;
        try (ServerSocketChannel listening =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SenderCapture sent = SenderCapture.create(directory.resolve("sender.npy"), 1_000, false)) {
            PacketSender sender = runs.sender(runs.run(packetBytes, Map.of("send-buffer", "64KiB"), calls));
            sender.connect(Map.of("port", Integer.toString(listening.socket().getLocalPort())));
            try (SocketChannel peer = listening.accept()) {
                CompletableFuture<IOException> failure = new CompletableFuture<>();
                Thread sending = new Thread(() -> {
                    try {
                        send(sender, 0, 1_000, sent);
                        failure.completeExceptionally(new AssertionError("1 GB went to a peer that does not read"));
                    } catch (IOException e) {
                        failure.complete(e);
                    }
                });
                sending.start();
                readWhole(peer, 2L * packetBytes); // one is sent at least, and another one begun
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // as a rule it waits by then
                sender.close();
                sender.close();
                assertThat(failure.get(60, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
                sending.join();
                assertThat(sent.records()).isPositive();
                long bytes = 2L * packetBytes + readToTheEnd(peer);
                assertThat(bytes / packetBytes).isBetween(sent.records(), sent.records() + 1);
            }
        }
    }

    private static void readWhole(SocketChannel peer, long bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
        for (long left = bytes; left > 0; ) {
            buffer.clear().limit(Math.toIntExact(Math.min(left, buffer.capacity())));
            left -= peer.read(buffer);
        }
    }

    private static long readToTheEnd(SocketChannel peer) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
        long bytes = 0;
        for (int count = peer.read(buffer); count >= 0; count = peer.read(buffer.clear())) {
            bytes += count;
        }
        return bytes;
    }

    @Test
    void aSenderThatIsClosedSendsNoMore() throws Exception {
        try (ServerSocketChannel listening =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SenderCapture sent = SenderCapture.create(directory.resolve("sender.npy"), 10, false)) {
            PacketSender sender = runs.sender(runs.run(PACKET_BYTES, Map.of()));
            sender.connect(Map.of("port", Integer.toString(listening.socket().getLocalPort())));
            sender.close();
            assertThatThrownBy(() -> send(sender, 0, 1, sent)).isInstanceOf(IOException.class);
            assertThat(sent.records()).isZero();
        }
    }

    @Test
    void nativeCallsLeaveNoDescriptorBehind() throws Exception {
        try (SenderCapture sent = SenderCapture.create(directory.resolve("sender.npy"), 10, false);
                ReceiverCapture received = ReceiverCapture.create(directory.resolve("receiver.npy"), 10, false)) {
            openAndCloseWhileItWaits(sent, received); // loads what there is to load
            long before = Runs.descriptors();
            for (int i = 0; i < 20; i++) {
                openAndCloseWhileItWaits(sent, received);
            }
            await().atMost(60, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(Runs.descriptors()).isLessThan(before + 20));
        }
    }

    private void openAndCloseWhileItWaits(SenderCapture sent, ReceiverCapture received) throws Exception {
        TransportRun run = runs.run(PACKET_BYTES, Map.of());
        CompletableFuture<Integer> end;
        try (PacketReceiver receiver = runs.receiver(run);
                PacketSender sender = runs.sender(run)) {
            PacketAccounting arrivals = new PacketAccounting(Runs.TAG, 10, 1, received);
            end = receiveAll(receiver, arrivals);
            sender.connect(receiver.announce());
            send(sender, -1, 0, sent);
            await().atMost(60, TimeUnit.SECONDS)
                    .pollInterval(1, TimeUnit.MILLISECONDS)
                    .until(() -> arrivals.warmUpReceived() == 1);
        }
        assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(PacketReceiver.END);
    }

    /** Receives until the end, whatever comes. */
    private static CompletableFuture<Integer> receiveAll(PacketReceiver receiver, PacketAccounting arrivals) {
        CompletableFuture<Integer> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                int result = 0;
                while (result != PacketReceiver.END) {
                    result = receiver.receive(arrivals);
                }
                end.complete(result);
            } catch (IOException | RuntimeException | Error e) {
                end.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return end;
    }

    private static void send(PacketSender sender, long first, long end, SenderCapture capture) throws IOException {
        for (long sequence = first; sequence < end; sequence++) {
            sender.send(sequence, SenderCapture.UNSCHEDULED, capture);
        }
        sender.flush();
    }

    /** The C program ignores which calls Java makes. */
    private static Calls calls(String side) {
        return side.equals("channel") ? Calls.CHANNEL : Calls.SYSTEM;
    }

    private static int port(Map<String, String> announcement) {
        return Integer.parseInt(announcement.getOrDefault("port", "none"));
    }
}
