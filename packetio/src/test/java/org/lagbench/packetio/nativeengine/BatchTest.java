package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.TransportRun;

/** Several packets a system call, and waiting for datagrams without sleeping, by the Java programs and the c engine. */
@Timeout(120)
class BatchTest {
    private static final int PACKET_BYTES = 101;

    /** With the warm-up no more than the least receive buffer holds, 212,992 bytes. */
    private static final int PACKETS = 150;

    private static final int WARM_UP = 50;
    private static final int BATCH = 16;

    @TempDir
    private Path directory;

    private Runs runs = new Runs("udp");

    BatchTest() throws LagbenchException {}

    private static final Map<String, String> DATAGRAMS = Map.of("batch", Integer.toString(BATCH), "busy-poll", "200us");

    /** What batches go over, by name: a transport and its settings. */
    private static final Map<String, Map<String, String>> PATHS = Map.of(
            "udp", DATAGRAMS,
            "udp offload", Map.of("batch", Integer.toString(BATCH), "offload", "on"),
            "tcp", Map.of("batch", Integer.toString(BATCH)));

    static Stream<Arguments> pathsAndEngines() {
        return PATHS.keySet().stream().flatMap(path -> Stream.of("java", "c")
                .flatMap(from -> Stream.of("java", "c").map(to -> Arguments.of(path, from, to))));
    }

    @ParameterizedTest
    @MethodSource("pathsAndEngines")
    void everyPacketArrivesOnceWithTheStampsOfItsCalls(String path, String from, String to) throws Exception {
        runs = new Runs(path.substring(0, 3));
        Path senders = directory.resolve(SenderCapture.FILE_NAME);
        Path receivers = directory.resolve(ReceiverCapture.FILE_NAME);
        Map<String, String> settings = PATHS.get(path);
        int mostAtOnce = path.equals("udp") ? BATCH : WARM_UP + PACKETS;
        long beginNs = RealtimeClock.nowNs();
        try (ReceiverCapture capture = ReceiverCapture.create(receivers, PACKETS, false)) {
            if (to.equals("c")) {
                try (NativeReceiveEngine twin = runs.twinReceiver(pathRun(settings, receivers), capture)) {
                    sendAll(from, settings, twin.announce(), senders);
                    twin.drain(60_000);
                    assertThat(twin.tally().warmUpReceived()).isEqualTo(WARM_UP);
                    assertThat(twin.metadata()).containsEntry("sharedStamps", true);
                }
            } else {
                try (PacketReceiver receiver = runs.receiver(run(settings))) {
                    PacketAccounting arrivals = new PacketAccounting(Runs.TAG, PACKETS, WARM_UP, capture);
                    sendAll(from, settings, receiver.announce(), senders);
                    while (!arrivals.isComplete()) {
                        assertThat(receiver.receive(arrivals)).isBetween(0, mostAtOnce);
                    }
                    assertThat(arrivals.warmUpReceived()).isEqualTo(WARM_UP);
                    assertThat(arrivals.foreign()).isZero();
                    assertThat(receiver.metadata()).containsEntry("sharedStamps", true);
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
                try (NativeSendEngine twin = runs.twinSender(pathRun(settings, file), capture)) {
                    twin.connect(receiver);
                    twin.send(-WARM_UP, PACKETS, Pace.flood());
                    assertThat(twin.lastSequence()).isEqualTo(PACKETS - 1);
                    checkBatch(twin.metadata());
                }
            } else {
                try (PacketSender sender = runs.sender(run(settings))) {
                    sender.connect(receiver);
                    for (long sequence = -WARM_UP; sequence < PACKETS; sequence++) {
                        sender.send(sequence, SenderCapture.UNSCHEDULED, capture);
                    }
                    sender.flush();
                    checkBatch(sender.metadata());
                }
            }
        }
    }

    private static void checkBatch(Map<String, Object> metadata) {
        assertThat(metadata.get("packetsPerCall")).hasToString(Integer.toString(BATCH));
        assertThat(metadata).containsEntry("sharedStamps", true);
    }

    @Test
    void whatIsKeptBackIsStampedWhenItIsHandedOverAndCarriesThatStamp() throws Exception {
        Path file = directory.resolve("sender.npy");
        long beforeNs;
        long afterNs;
        try (DatagramPeer peer = new DatagramPeer()) {
            try (SenderCapture capture = SenderCapture.create(file, 10, false);
                    PacketSender sender = runs.sender(run(Map.of("batch", "4")))) {
                sender.connect(peer.announcement());
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
                    ByteBuffer packet = peer.receive();
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

    /**
     * The cycle of packets has 52 of this size, and each of a batch must be another. Some find the receive buffer full.
     */
    @ParameterizedTest
    @ValueSource(strings = {"java", "c"})
    void packetsThatFillTheMemoryForThemGoWithoutWritingOverEachOther(String implementation) throws Exception {
        TransportRun run = runs.run(5_000, Map.of("batch", "64"));
        Path file = directory.resolve("sender.npy");
        try (DatagramPeer peer = new DatagramPeer();
                SenderCapture capture = SenderCapture.create(file, 64, false)) {
            if (implementation.equals("c")) {
                try (NativeSendEngine twin = runs.twinSender(runs.ofTwin(run, 64, 0, file), capture)) {
                    twin.connect(peer.announcement());
                    twin.send(0, 64, Pace.flood());
                }
            } else {
                try (PacketSender sender = runs.sender(run)) {
                    sender.connect(peer.announcement());
                    for (int i = 0; i < 64; i++) {
                        sender.send(i, SenderCapture.UNSCHEDULED, capture);
                    }
                    sender.flush();
                }
            }
            assertThat(capture.records()).isEqualTo(64);
            long[] sequences = new long[10];
            for (int i = 0; i < sequences.length; i++) {
                sequences[i] = PacketLayout.sequence(peer.receive(), 0);
            }
            assertThat(sequences).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        }
    }

    @Test
    void aBurstOfTheTwinsGoesAtOnceAndWaitsForNoneThatIsDueLater() throws Exception {
        Path file = directory.resolve("sender.npy");
        try (DatagramPeer peer = new DatagramPeer();
                SenderCapture capture = SenderCapture.create(file, PACKETS, false);
                NativeSendEngine twin = runs.twinSender(pathRun(Map.of("batch", "64"), file), capture)) {
            twin.connect(peer.announcement());
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    twin.send(0, PACKETS, new Pace(Pace.Mode.SLEEP, TimeUnit.SECONDS.toNanos(10), 3));
                } catch (IOException e) {
                    return; // stopped
                }
            });
            long[] sentNs = new long[3];
            for (int i = 0; i < sentNs.length; i++) {
                sentNs[i] = PacketLayout.sentNs(peer.receive(), 0);
            }
            twin.stop();
            sending.get(60, TimeUnit.SECONDS);
            assertThat(Arrays.stream(sentNs).boxed().collect(Collectors.groupingBy(Function.identity())))
                    .as("one call")
                    .hasSize(1);
            assertThat(capture.records()).isEqualTo(3);
        }
    }

    @Test
    void aSenderThatIsClosedSendsNoMore() throws Exception {
        try (DatagramPeer peer = new DatagramPeer();
                SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), 10, false)) {
            PacketSender sender = runs.sender(run(Map.of("batch", "2")));
            sender.connect(peer.announcement());
            sender.send(0, SenderCapture.UNSCHEDULED, capture);
            sender.close();
            sender.close();
            assertThatThrownBy(sender::push).isInstanceOf(IOException.class);
            assertThat(capture.records()).isZero();
        }
    }

    private EngineConfig pathRun(Map<String, String> settings, Path file) {
        return runs.ofTwin(run(settings), PACKETS, WARM_UP, file);
    }

    private TransportRun run(Map<String, String> settings) {
        return runs.run(PACKET_BYTES, settings);
    }
}
