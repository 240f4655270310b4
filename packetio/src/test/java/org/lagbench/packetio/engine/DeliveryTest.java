package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.nativeengine.Runs;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.Retransmissions;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SocketIo;

/** Packets sent by any engine arrive at any engine, over each transport, one or several per system call. */
class DeliveryTest {
    private static final int WARM_UP = 60;
    private static final int BATCH = 16;
    private static final Map<String, String> PLAIN = Map.of("receive-buffer", "4MB", "send-buffer", "128KiB");

    @TempDir
    private Path directory;

    /** @param portion how many packets are sent before the sender waits until all have arrived */
    private record Delivery(
            String transport,
            Map<String, String> settings,
            String from,
            String to,
            int packetBytes,
            int packets,
            int portion) {
        static Delivery plain(String transport, String from, String to, int packetBytes, int packets) {
            int fits = packetBytes > 1500 ? 1 : 20; // packets that fit the smallest UDP buffer, 212,992 bytes
            int portion = transport.equals("udp") ? fits : WARM_UP + packets;
            return new Delivery(transport, PLAIN, from, to, packetBytes, packets, portion);
        }

        /** Returns the number of lead-out packets, at most a portion: these fit into the receive buffer. */
        int leadOut() {
            return Math.min(portion, 20);
        }

        boolean isBatched() {
            return settings.containsKey("batch");
        }
    }

    static Stream<Delivery> deliveries() {
        List<Delivery> all = new ArrayList<>();
        for (String transport : List.of("tcp", "udp")) {
            for (String engine : List.of("java", "java-nio")) {
                for (int packetBytes : new int[] {24, 25, 396, 992, 1500, 65_507}) {
                    all.add(Delivery.plain(transport, engine, engine, packetBytes, 2_000));
                }
            }
            for (String other : List.of("java-nio", "c")) {
                all.add(Delivery.plain(transport, "java", other, 24, 3_000));
                all.add(Delivery.plain(transport, other, "java", 24, 3_000));
            }
        }
        String batch = Integer.toString(BATCH);
        for (String from : List.of("java", "c")) {
            for (String to : List.of("java", "c")) {
                if (!from.equals("c") || !to.equals("c")) {
                    all.add(Delivery.plain("tcp", from, to, 300_001, 50)); // packets larger than one read returns
                }
                all.add(new Delivery("tcp", Map.of("batch", batch), from, to, 101, 150, WARM_UP + 150));
                // no more packets than the smallest receive buffer holds
                all.add(new Delivery(
                        "udp", Map.of("batch", batch, "busy-poll", "200us"), from, to, 101, 150, WARM_UP + 150));
                all.add(new Delivery(
                        "udp", Map.of("batch", batch, "offload", "on"), from, to, 101, 150, WARM_UP + 150));
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("deliveries")
    void deliversEachPacketOnceInOrderWithItsStamps(Delivery delivery) throws Exception {
        Runs runs = new Runs(delivery.transport);
        Path senders = directory.resolve(SenderCapture.FILE_NAME);
        Path receivers = directory.resolve(ReceiverCapture.FILE_NAME);
        int packets = delivery.packets;
        List<String> failures = new CopyOnWriteArrayList<>();
        SideConfig sending = config(runs, delivery, senders);
        long beginNs = RealtimeClock.nowNs();
        try (SenderCapture sent = SenderCapture.create(senders, packets, false);
                ReceiverCapture received = ReceiverCapture.create(receivers, packets, false);
                ReceiveEngine receiver =
                        runs.openReceiver(delivery.to, config(runs, delivery, receivers), received, failures::add);
                SendEngine sender = runs.openSender(delivery.from, sending, sent)) {
            receiver.start();
            sender.connect(receiver.announce());
            for (int first = -WARM_UP; first < packets; first += delivery.portion) {
                int end = first + delivery.portion;
                sender.send(first, end < packets ? end : packets + delivery.leadOut(), Pace.flood());
                while (end < packets && arrived(receiver) < end + WARM_UP) {
                    assertThat(failures).isEmpty();
                    assertThat(Thread.interrupted()).as("timed out").isFalse();
                    LockSupport.parkNanos(10_000);
                }
            }
            receiver.drain(60_000);
            assertThat(failures).isEmpty();
            assertThat(receiver.isDrained()).isTrue();
            awaitLeadOut(receiver, delivery.leadOut());
            assertThat(receiver.counts())
                    .isEqualTo(new ReceivedCounts(packets, packets, 0, 0, 0, 0, WARM_UP, delivery.leadOut(), 0));
            assertThat(receiver.kernelDrops()).isEqualTo(drops(delivery));
            assertThat(sender.lastIndex()).isEqualTo(packets + delivery.leadOut() - 1);
            if (delivery.transport.equals("tcp")) {
                awaitAcknowledged(sender, (long) delivery.packetBytes * (WARM_UP + packets + delivery.leadOut()));
            } else {
                assertThat(sender.retransmissions()).isNull();
            }
            if (delivery.isBatched()) {
                assertThat(receiver.metadata()).containsEntry("sharedStamps", true);
                assertThat(sender.metadata()).containsEntry("sharedStamps", true);
                assertThat(sender.metadata().get("packetsPerCall")).hasToString(Integer.toString(BATCH));
            }
        }
        checkCaptures(delivery, senders, receivers, beginNs, RealtimeClock.nowNs());
    }

    private static SideConfig config(Runs runs, Delivery delivery, Path file) throws LagbenchException {
        return runs.side(delivery.packetBytes, delivery.settings)
                .phases(WARM_UP, delivery.packets, delivery.leadOut())
                .file(file)
                .build();
    }

    private static void awaitLeadOut(ReceiveEngine receiver, int packets) {
        while (receiver.counts().leadOutReceived() < packets) {
            assertThat(Thread.interrupted()).as("timed out").isFalse();
            LockSupport.parkNanos(10_000);
        }
    }

    /** Returns the drops of a receiver that dropped nothing: those of a stream are not counted, joined ones unknown. */
    private static long drops(Delivery delivery) {
        if (delivery.transport.equals("tcp")) {
            return PacketReceiver.NOT_COUNTED;
        }
        return delivery.settings.containsKey("offload") ? SocketIo.UNKNOWN : 0;
    }

    private static void awaitAcknowledged(SendEngine sender, long bytes) {
        Retransmissions state = Objects.requireNonNull(sender.retransmissions());
        while (state.unackedSegments() > 0) {
            assertThat(Thread.interrupted()).as("timed out").isFalse();
            LockSupport.parkNanos(10_000);
            state = Objects.requireNonNull(sender.retransmissions());
        }
        assertThat(state.ackedBytes()).isEqualTo(bytes);
    }

    private static long arrived(ReceiveEngine receiver) {
        ReceivedCounts counts = receiver.counts();
        return counts.received() + counts.warmUpReceived();
    }

    private static void checkCaptures(Delivery delivery, Path senders, Path receivers, long beginNs, long endNs)
            throws LagbenchException {
        try (CaptureReader sent = CaptureReader.open(senders);
                CaptureReader received = CaptureReader.open(receivers)) {
            assertThat(sent.records()).isEqualTo(delivery.packets);
            assertThat(received.records()).isEqualTo(delivery.packets);
            Map<Long, Integer> packetsByCall = new LinkedHashMap<>(); // keys: sent stamps, which differ between calls
            long beforeNs = beginNs;
            for (int i = 0; i < delivery.packets; i++) {
                assertThat(sent.value(i, sent.field("seq"))).isEqualTo(i);
                assertThat(received.value(i, received.field("seq"))).isEqualTo(i);
                long sentNs = sent.value(i, sent.field("sent_ns"));
                long returnedNs = sent.value(i, sent.field("returned_ns"));
                assertThat(sent.value(i, sent.field("scheduled_ns"))).isEqualTo(sentNs);
                assertThat(new long[] {beforeNs, sentNs, returnedNs, endNs}).isSorted();
                assertThat(received.value(i, received.field("received_ns"))).isBetween(sentNs + 1, endNs);
                packetsByCall.merge(sentNs, 1, Integer::sum);
                beforeNs = delivery.isBatched() ? beginNs : returnedNs;
            }
            if (delivery.isBatched()) {
                assertThat(packetsByCall).hasSizeBetween((delivery.packets + BATCH - 1) / BATCH, delivery.packets - 1);
                assertThat(packetsByCall.values()).allMatch(packets -> packets <= BATCH);
            }
        }
    }
}
