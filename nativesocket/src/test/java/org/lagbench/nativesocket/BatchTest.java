package org.lagbench.nativesocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.packet.PacketLayout;
import org.lagbench.core.path.PathRun;
import org.lagbench.core.run.Pace;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.core.transport.Arrivals;
import org.lagbench.core.transport.PacketReceiver;
import org.lagbench.core.transport.PacketSender;
import org.lagbench.core.transport.TransportRun;

/** Several datagrams a call and looking for them without sleeping, by the Java programs and by their twin. */
@Timeout(120)
class BatchTest {
    private static final int PACKET_BYTES = 101;

    /** With the warm-up no more than the least receive buffer holds, 212,992 bytes. */
    private static final int PACKETS = 150;

    private static final int WARM_UP = 50;
    private static final int BATCH = 16;

    @TempDir
    private Path directory;

    private final Runs runs = new Runs("udp");

    BatchTest() throws LagbenchException {}

    @ParameterizedTest
    @CsvSource({"java, java", "java, c", "c, java", "c, c"})
    void everyPacketArrivesOnceAndItsStampsAreThoseOfTheCallsThatTookAndGaveIt(String from, String to)
            throws Exception {
        Path senders = directory.resolve(SenderCapture.FILE_NAME);
        Path receivers = directory.resolve(ReceiverCapture.FILE_NAME);
        Map<String, String> settings = Map.of("batch", Integer.toString(BATCH), "busy-poll", "200us");
        long beginNs = RealtimeClock.nowNs();
        try (ReceiverCapture capture = ReceiverCapture.create(receivers, PACKETS, false)) {
            if (to.equals("c")) {
                try (TwinReceivePath twin = runs.twinReceiver(pathRun(settings, receivers), capture)) {
                    sendAll(from, settings, twin.announce(), senders);
                    twin.drain(60_000);
                    assertThat(twin.tally().warmUpReceived()).isEqualTo(WARM_UP);
                }
            } else {
                try (PacketReceiver receiver = runs.receiver(run(settings))) {
                    Arrivals arrivals = new Arrivals(Runs.TAG, PACKETS, WARM_UP, capture);
                    sendAll(from, settings, receiver.announce(), senders);
                    while (!arrivals.isComplete()) {
                        assertThat(receiver.receive(arrivals)).isBetween(0, BATCH);
                    }
                    assertThat(arrivals.warmUpReceived()).isEqualTo(WARM_UP);
                    assertThat(arrivals.foreign()).isZero();
                }
            }
        }
        long endNs = RealtimeClock.nowNs();

        try (CaptureReader sent = CaptureReader.open(senders);
                CaptureReader received = CaptureReader.open(receivers)) {
            assertThat(sent.records()).isEqualTo(PACKETS);
            assertThat(received.records()).isEqualTo(PACKETS);
            for (int i = 0; i < PACKETS; i++) {
                assertThat(sent.value(i, sent.field("seq"))).isEqualTo(i);
                assertThat(received.value(i, received.field("seq"))).isEqualTo(i);
                long sentNs = sent.value(i, sent.field("sent_ns"));
                assertThat(sent.value(i, sent.field("scheduled_ns"))).isEqualTo(sentNs);
                assertThat(new long[] {beginNs, sentNs, sent.value(i, sent.field("returned_ns")), endNs})
                        .isSorted();
                assertThat(new long[] {sentNs, received.value(i, received.field("received_ns")), endNs})
                        .isSorted();
            }
            Map<Long, Integer> packetsACall = packetsACall(sent);
            assertThat(packetsACall).hasSizeBetween((PACKETS + BATCH - 1) / BATCH, PACKETS - 1);
            assertThat(packetsACall.values()).allMatch(packets -> packets <= BATCH);
        }
    }

    /** How many packets have the same sent stamp: two calls have not, on a clock of nanoseconds. */
    private static Map<Long, Integer> packetsACall(CaptureReader sent) throws LagbenchException {
        Map<Long, Integer> packets = new LinkedHashMap<>();
        for (long i = 0; i < sent.records(); i++) {
            packets.merge(sent.value(i, sent.field("sent_ns")), 1, Integer::sum);
        }
        return packets;
    }

    private void sendAll(String from, Map<String, String> settings, Map<String, String> receiver, Path file)
            throws Exception {
        try (SenderCapture capture = SenderCapture.create(file, PACKETS, false)) {
            if (from.equals("c")) {
                try (TwinSendPath twin = runs.twinSender(pathRun(settings, file), capture)) {
                    twin.connect(receiver);
                    twin.send(-WARM_UP, PACKETS, Pace.flood());
                    assertThat(twin.lastSequence()).isEqualTo(PACKETS - 1);
                }
            } else {
                try (PacketSender sender = runs.sender(run(settings))) {
                    sender.connect(receiver);
                    for (long sequence = -WARM_UP; sequence < PACKETS; sequence++) {
                        sender.send(sequence, SenderCapture.UNSCHEDULED, capture);
                    }
                    sender.flush();
                }
            }
        }
    }

    @Test
    void whatIsKeptBackIsStampedWhenItIsHandedOverAndCarriesThatStamp() throws Exception {
        Path file = directory.resolve("sender.npy");
        long beforeNs;
        long afterNs;
        try (DatagramChannel peer = peer()) {
            try (SenderCapture capture = SenderCapture.create(file, 10, false);
                    PacketSender sender = runs.sender(run(Map.of("batch", "4")))) {
                sender.connect(announcement(peer));
                for (int i = 0; i < 3; i++) {
                    sender.send(i, 1_000 + i, capture);
                }
                assertThat(capture.records()).as("before it is pushed").isZero();
                beforeNs = RealtimeClock.nowNs();
                sender.push();
                afterNs = RealtimeClock.nowNs();
                sender.push();
                for (int i = 3; i < 7; i++) {
                    sender.send(i, 1_000 + i, capture);
                }
                assertThat(capture.records())
                        .as("a full batch is not kept back")
                        .isEqualTo(7);
            }
            try (CaptureReader sent = CaptureReader.open(file)) {
                for (int i = 0; i < 7; i++) {
                    ByteBuffer packet = receive(peer);
                    assertThat(PacketLayout.sequence(packet, 0)).isEqualTo(i);
                    assertThat(PacketLayout.tag(packet, 0)).isEqualTo(Runs.TAG);
                    assertThat(PacketLayout.sentNs(packet, 0)).isEqualTo(sent.value(i, sent.field("sent_ns")));
                    assertThat(sent.value(i, sent.field("scheduled_ns"))).isEqualTo(1_000 + i);
                    if (i < 3) {
                        assertThat(PacketLayout.sentNs(packet, 0)).isBetween(beforeNs, afterNs);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"native, native", "channel, channel", "auto, native"})
    void aPacketOfItsOwnCallCarriesTheSentStampOfItsRecordBetweenReadingsOfTheClockAroundTheCall(
            String calls, String taken) throws Exception {
        Path file = directory.resolve("sender.npy");
        long[] readings = new long[4];
        try (DatagramChannel peer = peer()) {
            try (SenderCapture capture = SenderCapture.create(file, 3, false);
                    PacketSender sender = runs.sender(run(Map.of("calls", calls)))) {
                sender.connect(announcement(peer));
                assertThat(sender.facts()).containsEntry("calls", taken);
                for (int i = 0; i < 3; i++) {
                    readings[i] = RealtimeClock.nowNs();
                    sender.send(i, readings[i], capture);
                    sender.push();
                }
                readings[3] = RealtimeClock.nowNs();
            }
            try (CaptureReader sent = CaptureReader.open(file)) {
                for (int i = 0; i < 3; i++) {
                    ByteBuffer packet = receive(peer);
                    long sentNs = sent.value(i, sent.field("sent_ns"));
                    long returnedNs = sent.value(i, sent.field("returned_ns"));
                    assertThat(PacketLayout.tag(packet, 0)).isEqualTo(Runs.TAG);
                    assertThat(PacketLayout.sequence(packet, 0)).isEqualTo(i);
                    assertThat(PacketLayout.sentNs(packet, 0)).isEqualTo(sentNs);
                    assertThat(sent.value(i, sent.field("scheduled_ns"))).isEqualTo(readings[i]);
                    assertThat(new long[] {readings[i], sentNs, returnedNs, readings[i + 1]})
                            .isSorted();
                }
            }
        }
    }

    @Test
    void packetsThatAreHandedOverTogetherHaveCallsOfTheirOwnOneAfterTheOther() throws Exception {
        Path file = directory.resolve("sender.npy");
        long[] around = new long[2];
        try (DatagramChannel peer = peer()) {
            try (SenderCapture capture = SenderCapture.create(file, PACKETS, false);
                    PacketSender sender = runs.sender(run(Map.of("calls", "native")))) {
                sender.connect(announcement(peer));
                around[0] = RealtimeClock.nowNs();
                for (int i = 0; i < PACKETS; i++) {
                    sender.send(i, SenderCapture.UNSCHEDULED, capture);
                }
                sender.push();
                around[1] = RealtimeClock.nowNs();
            }
            try (CaptureReader sent = CaptureReader.open(file)) {
                assertThat(sent.records()).isEqualTo(PACKETS);
                long beforeNs = around[0];
                for (int i = 0; i < PACKETS; i++) {
                    ByteBuffer packet = receive(peer);
                    long sentNs = sent.value(i, sent.field("sent_ns"));
                    assertThat(PacketLayout.sequence(packet, 0)).isEqualTo(i);
                    assertThat(PacketLayout.sentNs(packet, 0)).isEqualTo(sentNs);
                    assertThat(sent.value(i, sent.field("seq"))).isEqualTo(i);
                    long returnedNs = sent.value(i, sent.field("returned_ns"));
                    assertThat(new long[] {beforeNs, sentNs, returnedNs}).isSorted();
                    beforeNs = returnedNs;
                }
                assertThat(beforeNs).isLessThanOrEqualTo(around[1]);
            }
        }
    }

    /** The cycle of packets has 52 of this size, and each of a batch must be another. Some find the receive buffer full. */
    @ParameterizedTest
    @ValueSource(strings = {"java", "c"})
    void packetsThatFillTheMemoryForThemGoWithoutWritingOverEachOther(String implementation) throws Exception {
        TransportRun run = runs.run(5_000, Map.of("batch", "64"));
        Path file = directory.resolve("sender.npy");
        try (DatagramChannel peer = peer();
                SenderCapture capture = SenderCapture.create(file, 64, false)) {
            if (implementation.equals("c")) {
                try (TwinSendPath twin = runs.twinSender(runs.ofTwin(run, 64, 0, file), capture)) {
                    twin.connect(announcement(peer));
                    twin.send(0, 64, Pace.flood());
                }
            } else {
                try (PacketSender sender = runs.sender(run)) {
                    sender.connect(announcement(peer));
                    for (int i = 0; i < 64; i++) {
                        sender.send(i, SenderCapture.UNSCHEDULED, capture);
                    }
                    sender.flush();
                }
            }
            assertThat(capture.records()).isEqualTo(64);
            long[] sequences = new long[10];
            for (int i = 0; i < sequences.length; i++) {
                sequences[i] = PacketLayout.sequence(receive(peer), 0);
            }
            assertThat(sequences).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        }
    }

    /** Five go at once, which does not divide the 52 of the cycle. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "64"})
    void payloadsBeginAgainWhereTheirCycleEndsAlsoAmongPacketsThatGoTogether(String batch) throws Exception {
        int cycle = 52;
        List<ByteBuffer> payloads = new ArrayList<>();
        try (DatagramChannel peer = peer();
                SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), PACKETS, false);
                PacketSender sender = runs.sender(runs.run(5_000, Map.of("batch", batch, "calls", "native")))) {
            sender.connect(announcement(peer));
            for (int i = 0; i < PACKETS; i++) {
                sender.send(i, SenderCapture.UNSCHEDULED, capture);
                if (i % 5 == 4) {
                    sender.push();
                    for (int sequence = i - 4; sequence <= i; sequence++) {
                        ByteBuffer packet = receive(peer);
                        assertThat(PacketLayout.sequence(packet, 0)).isEqualTo(sequence);
                        ByteBuffer payload = packet.position(PacketLayout.HEADER_BYTES);
                        if (sequence < cycle) {
                            assertThat(payloads).doesNotContain(payload);
                            payloads.add(payload);
                        } else {
                            assertThat(payload).isEqualTo(payloads.get(sequence % cycle));
                        }
                    }
                }
            }
        }
    }

    @Test
    void aBurstOfTheTwinsGoesAtOnceAndWaitsForNoneThatIsDueLater() throws Exception {
        Path file = directory.resolve("sender.npy");
        try (DatagramChannel peer = peer();
                SenderCapture capture = SenderCapture.create(file, PACKETS, false);
                TwinSendPath twin = runs.twinSender(pathRun(Map.of("batch", "64"), file), capture)) {
            twin.connect(announcement(peer));
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    twin.send(0, PACKETS, new Pace(Pace.Mode.SLEEP, TimeUnit.SECONDS.toNanos(10), 3));
                } catch (IOException e) {
                    return; // stopped
                }
            });
            long[] sentNs = new long[3];
            for (int i = 0; i < sentNs.length; i++) {
                sentNs[i] = PacketLayout.sentNs(receive(peer), 0);
            }
            twin.stop();
            sending.get(60, TimeUnit.SECONDS);
            assertThat(Arrays.stream(sentNs).boxed().collect(Collectors.groupingBy(Function.identity())))
                    .as("one call")
                    .hasSize(1);
            assertThat(capture.records()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @CsvSource({"16, none", "1, 10s", "16, 10s"})
    void closingEndsTheWaitForAPacket(String batch, String busyPoll) throws Exception {
        try (ReceiverCapture capture = ReceiverCapture.create(directory.resolve("receiver.npy"), 10, false)) {
            Arrivals arrivals = new Arrivals(Runs.TAG, 10, 0, capture);
            PacketReceiver receiver = runs.receiver(run(Map.of("batch", batch, "busy-poll", busyPoll)));
            CompletableFuture<Thread> waiting = new CompletableFuture<>();
            CompletableFuture<Integer> result = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                waiting.complete(Thread.currentThread());
                try {
                    result.complete(receiver.receive(arrivals));
                } catch (IOException | RuntimeException e) {
                    result.completeExceptionally(e);
                }
            });
            thread.start();
            waiting.get(60, TimeUnit.SECONDS);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // as a rule it waits by then
            receiver.close();
            receiver.close();
            assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo(PacketReceiver.END);
            assertThat(receiver.receive(arrivals)).isEqualTo(PacketReceiver.END);
            thread.join();
        }
    }

    @Test
    void aSenderThatIsClosedSendsNoMore() throws Exception {
        try (DatagramChannel peer = peer();
                SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), 10, false)) {
            PacketSender sender = runs.sender(run(Map.of("batch", "2")));
            sender.connect(announcement(peer));
            sender.send(0, SenderCapture.UNSCHEDULED, capture);
            sender.close();
            sender.close();
            assertThatThrownBy(sender::push).isInstanceOf(IOException.class);
            assertThat(capture.records()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, native", "16, channel"})
    void aReceiverThatGoesAwayIsNoticedBySending(String batch, String calls) throws Exception {
        try (SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), 1_000_000, false);
                PacketSender sender = runs.sender(run(Map.of("batch", batch, "calls", calls)))) {
            try (DatagramChannel peer = peer()) {
                sender.connect(announcement(peer));
            }
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000_000; i++) {
                            sender.send(i, SenderCapture.UNSCHEDULED, capture);
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the receiver is gone");
        }
    }

    @Test
    void nativeCallsLeaveNoDescriptorBehind() throws Exception {
        Map<String, String> settings = Map.of("batch", "8");
        try (SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), 10, false)) {
            openAndClose(settings, capture); // loads what there is to load
            long before = Runs.descriptors();
            for (int i = 0; i < 20; i++) {
                openAndClose(settings, capture);
            }
            await().untilAsserted(() -> assertThat(Runs.descriptors()).isLessThan(before + 20));
        }
    }

    private void openAndClose(Map<String, String> settings, SenderCapture capture) throws Exception {
        try (PacketReceiver receiver = runs.receiver(run(settings));
                PacketSender sender = runs.sender(run(settings))) {
            sender.connect(receiver.announce());
            sender.send(-1, SenderCapture.UNSCHEDULED, capture);
            sender.push();
        }
    }

    private PathRun pathRun(Map<String, String> settings, Path file) {
        return runs.ofTwin(run(settings), PACKETS, WARM_UP, file);
    }

    private TransportRun run(Map<String, String> settings) {
        return runs.run(PACKET_BYTES, settings);
    }

    private static DatagramChannel peer() throws IOException {
        return DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static Map<String, String> announcement(DatagramChannel peer) throws IOException {
        return Map.of("port", Integer.toString(((InetSocketAddress) peer.getLocalAddress()).getPort()));
    }

    private static ByteBuffer receive(DatagramChannel peer) {
        ByteBuffer packet = ByteBuffer.allocate(1 << 16);
        try {
            peer.receive(packet);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return packet.flip();
    }
}
