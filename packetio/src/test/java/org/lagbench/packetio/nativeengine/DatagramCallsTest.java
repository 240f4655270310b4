package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.transport.Calls;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.TransportRun;

/** Sending and receiving over UDP by the operating system's calls, beside channels, a packet a call or several. */
@Timeout(120)
class DatagramCallsTest {
    private static final int PACKETS = 150;

    @TempDir
    private Path directory;

    private final Runs runs = new Runs("udp");

    DatagramCallsTest() throws LagbenchException {}

    @ParameterizedTest
    @EnumSource(Calls.class)
    void aPacketOfItsOwnCallCarriesTheSentStampOfItsRecordBetweenReadingsOfTheClockAroundTheCall(Calls calls)
            throws Exception {
        Path file = directory.resolve("sender.npy");
        long[] readings = new long[4];
        try (DatagramPeer peer = new DatagramPeer()) {
            try (SenderCapture capture = SenderCapture.create(file, 3, false);
                    PacketSender sender = runs.sender(runs.run(101, Map.of(), calls))) {
                sender.connect(peer.announcement());
                for (int i = 0; i < 3; i++) {
                    readings[i] = RealtimeClock.nowNs();
                    sender.send(i, readings[i], capture);
                    sender.push();
                }
                readings[3] = RealtimeClock.nowNs();
            }
            try (CaptureReader sent = CaptureReader.open(file)) {
                for (int i = 0; i < 3; i++) {
                    ByteBuffer packet = peer.receive();
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
        try (DatagramPeer peer = new DatagramPeer()) {
            try (SenderCapture capture = SenderCapture.create(file, PACKETS, false);
                    PacketSender sender = runs.sender(run(Map.of()))) {
                sender.connect(peer.announcement());
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
                    ByteBuffer packet = peer.receive();
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

    /** Five go at once, which does not divide the 52 of the cycle. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "64"})
    void payloadsBeginAgainWhereTheirCycleEndsAlsoAmongPacketsThatGoTogether(String batch) throws Exception {
        int cycle = 52;
        List<ByteBuffer> payloads = new ArrayList<>();
        try (DatagramPeer peer = new DatagramPeer();
                SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), PACKETS, false);
                PacketSender sender = runs.sender(runs.run(5_000, Map.of("batch", batch)))) {
            sender.connect(peer.announcement());
            for (int i = 0; i < PACKETS; i++) {
                sender.send(i, SenderCapture.UNSCHEDULED, capture);
                if (i % 5 == 4) {
                    sender.push();
                    for (int sequence = i - 4; sequence <= i; sequence++) {
                        ByteBuffer packet = peer.receive();
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

    @ParameterizedTest
    @CsvSource({"16, none", "1, 10s", "16, 10s"})
    void closingEndsTheWaitForAPacket(String batch, String busyPoll) throws Exception {
        try (ReceiverCapture capture = ReceiverCapture.create(directory.resolve("receiver.npy"), 10, false)) {
            PacketAccounting arrivals = new PacketAccounting(Runs.TAG, 10, 0, capture);
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

    @ParameterizedTest
    @CsvSource({"1, SYSTEM", "16, SYSTEM", "1, CHANNEL"})
    void aReceiverThatGoesAwayIsNoticedBySending(String batch, Calls calls) throws Exception {
        try (SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), 1_000_000, false);
                PacketSender sender = runs.sender(runs.run(101, Map.of("batch", batch), calls))) {
            try (DatagramPeer peer = new DatagramPeer()) {
                sender.connect(peer.announcement());
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

    private TransportRun run(Map<String, String> settings) {
        return runs.run(101, settings);
    }
}
