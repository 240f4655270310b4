package org.lagbench.native1394;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.model.Settings;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.Phases;

/** Through the real libraw1394 on the virtual bus, whose environment Maven gives to the tests' JVM. */
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@EnabledIf(value = StreamRun.IS_POSSIBLE, disabledReason = StreamRun.NO_LIBRARY)
class Ieee1394TransportTest {
    private final Ieee1394Transport transport = new Ieee1394Transport();

    private final Path directory;

    Ieee1394TransportTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 396, 397, 992, 4096})
    void deliversEachPacketInTheCycleOfItsTransmission(int packetBytes) throws Exception {
        StreamRun run = StreamRun.flood(directory, packetBytes, 1000, Map.of("queue-packets", "512"));

        assertThat(run.received()).extracting(record -> record[0]).isEqualTo(sequences(1000));
        assertThat(run.sent()).extracting(record -> record[0]).isEqualTo(sequences(1000));
        assertThat(run.receivedCycles()).isEqualTo(run.sentCycles());
        assertThat(run.foreign()).isZero();
    }

    @Test
    void carriesTheLargestPacketAtTheFastestSpeed() throws Exception {
        StreamRun run = StreamRun.flood(directory, 8192, 200, Map.of("speed", "800"));

        assertThat(run.received()).extracting(record -> record[0]).isEqualTo(sequences(200));
        assertThat(run.receivedCycles()).isEqualTo(run.sentCycles());
    }

    @Test
    void losesNothingWithTheLongestInterruptInterval() throws Exception {
        StreamRun run = StreamRun.flood(directory, 24, 1100, Map.of("interrupt-interval", "512"));

        assertThat(run.received()).extracting(record -> record[0]).isEqualTo(sequences(1100));
        assertThat(run.batches()).anyMatch(count -> count >= 512);
        assertThat(run.receivedCycles()).isEqualTo(run.sentCycles());
    }

    @Test
    void sendsOnePacketPerCycleAndCountsMissedCycles() throws Exception {
        StreamRun run = StreamRun.flood(directory, 992, 2000, Map.of("queue-packets", "1024"));

        List<Long> cycles = run.receivedCycles();
        List<Long> steps = IntStream.range(1, cycles.size())
                .mapToObj(i -> Math.floorMod(cycles.get(i) - cycles.get(i - 1), 1_024_000L))
                .toList();
        assertThat(cycles).allMatch(cycle -> cycle >= 0 && cycle < 1_024_000);
        assertThat(steps).allMatch(step -> step >= 1);
        assertThat(steps.stream().filter(step -> step == 1).count()).isGreaterThan(1900);
        assertThat(run.receiverMetadata())
                .containsEntry(
                        "cyclesWithoutPacket",
                        steps.stream().mapToLong(step -> step - 1).sum());
    }

    @Test
    void ordersStampsAsTheEventsHappened() throws Exception {
        StreamRun run = StreamRun.flood(directory, 396, 1000, Map.of());

        for (int i = 0; i < 1000; i++) {
            long[] sent = run.sent().get(i);
            assertThat(sent[2]).as("sent before returned").isLessThanOrEqualTo(sent[3]);
            assertThat(run.received().get(i)[1]).as("sent before received").isGreaterThan(sent[2]);
        }
    }

    @Test
    void stampsAFloodAfterTheWaitForQueueSpace() throws Exception {
        StreamRun run = StreamRun.flood(directory, 24, 1000, Map.of("queue-packets", "8"));

        // At most 8 are queued: the 9th is queued only after the first was transmitted, 125 µs a packet.
        long[] first = run.sent().get(0);
        long[] last = run.sent().get(999);
        assertThat(last[2] - first[2]).isGreaterThan((999 - 8 - 1) * Ieee1394Transport.CYCLE_NS);
    }

    @Test
    void deliversTheLastRecordedPacketsByInterrupt() throws Exception {
        Map<String, String> settings = Map.of("input-buffer", "4096");
        Ieee1394Transport transport = new Ieee1394Transport();
        long leadOut = transport.leadOutPackets(24, Settings.of(transport.settings(), settings), true);

        StreamRun run;
        int attempts = 0;
        do { // a pause of the sender, as on a busy machine, ends an interval early
            run = StreamRun.flood(directory.resolve("attempt-" + attempts), 24, 1000, leadOut, settings);
        } while (hasPause(run.batches()) && ++attempts < 5);

        assertThat(run.received()).extracting(record -> record[0]).isEqualTo(sequences(1000));
        assertThat(run.sent()).extracting(record -> record[0]).isEqualTo(sequences(1000));
        assertThat(run.receivedCycles()).isEqualTo(run.sentCycles());
        assertThat(run.batches()).as("a whole interval, no rest").last().isEqualTo(170);
    }

    private static boolean hasPause(List<Integer> batches) {
        return batches.subList(1, batches.size() - 1).stream().anyMatch(count -> count != 170);
    }

    @Test
    void deliversBatchesAndTheRestAfterAPause() throws Exception {
        StreamRun run = StreamRun.flood(directory, 24, 1000, Map.of("input-buffer", "4096"));

        assertThat(run.received()).hasSize(1000);
        assertThat(run.batches()).anyMatch(count -> count >= 170);
        assertThat(run.batches().stream().mapToInt(count -> count).sum()).isEqualTo(1000);
        assertThat(run.receivedCycles()).isEqualTo(run.sentCycles());
    }

    @Test
    void deliversWholeBatchesOfASlowStream() throws Exception {
        int packets = 450;
        int interval = 64;
        List<Integer> batches = new ArrayList<>();
        Map<String, String> settings = Map.of("interrupt-interval", Integer.toString(interval));
        try (ReceiverCapture received = ReceiverCapture.create(directory.resolve("r"), packets, true);
                SenderCapture sent = SenderCapture.create(directory.resolve("s"), packets, true);
                PacketSender sender = transport.openSender(StreamRun.run(24, settings));
                PacketReceiver receiver = transport.openReceiver(StreamRun.receiver(24, settings, sender))) {
            PacketAccounting accounting = new PacketAccounting(StreamRun.TAG, new Phases(0, packets, 0), received);
            sender.connect(receiver.announce());
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    for (int i = 0; i < packets; i++) {
                        LockSupport.parkNanos(1_000_000); // the pace of the sender
                        sender.send(i, SenderCapture.UNSCHEDULED, sent);
                        sender.push();
                    }
                    sender.flush();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            while (!accounting.isComplete()) {
                batches.add(receiver.receive(accounting));
            }
            sending.get(60, TimeUnit.SECONDS);
        }
        // A batch takes longer than the first pause after which the rest is fetched; that pause must grow.
        assertThat(batches.stream().filter(count -> count == interval).count()).isGreaterThanOrEqualTo(2);
        assertThat(fieldOf(directory.resolve("r"), 2)).isEqualTo(fieldOf(directory.resolve("s"), 4));
    }

    @Test
    void deliversIntactContent() throws Exception {
        byte[] expected = new byte[4096];
        new Random(1394).nextBytes(expected);
        ByteBuffer sent = ByteBuffer.allocateDirect(4096).put(expected);
        ByteBuffer senderReport = ByteBuffer.allocateDirect(4096).order(ByteOrder.nativeOrder());
        ByteBuffer received = ByteBuffer.allocateDirect(64 * 4096);
        ByteBuffer receiverReport = ByteBuffer.allocateDirect(4096).order(ByteOrder.nativeOrder());
        Raw1394.load();
        int[] granted = new int[2];
        long sender = Raw1394.openSender(0, -1, Ieee1394Settings.Speed.S400.code(), 4096, 16, 1, 9, granted);
        assertThat(sender).isPositive();
        long receiver = Raw1394.openReceiver(1, granted[0], 4096, 64, 1, 100);
        assertThat(receiver).isPositive();
        try {
            assertThat(Raw1394.startSender(sender)).isZero();
            assertThat(Raw1394.send(sender, sent, 1, senderReport)).isZero();
            int count = 0;
            while (count == 0) {
                count = Raw1394.receive(receiver, received, receiverReport, 64);
            }
            assertThat(count).isEqualTo(1);
            assertThat(received.getLong(16)).as("the stamp in the packet").isEqualTo(senderReport.getLong(16));
            byte[] actual = new byte[4096];
            received.get(0, actual);
            received.get(16, expected, 16, 8);
            assertThat(actual).isEqualTo(expected);
        } finally {
            Raw1394.closeReceiver(receiver);
            Raw1394.closeSender(sender);
        }
    }

    @Test
    void numbersCyclesCorrectlyAfterALongStall() throws Exception {
        int packets = 1000;
        Path senderFile = directory.resolve("s");
        Path receiverFile = directory.resolve("r");
        try (ReceiverCapture received = ReceiverCapture.create(receiverFile, packets, true);
                SenderCapture sent = SenderCapture.create(senderFile, packets, true);
                PacketSender sender = transport.openSender(StreamRun.run(24, Map.of()));
                PacketReceiver receiver = transport.openReceiver(StreamRun.receiver(24, Map.of(), sender))) {
            PacketAccounting accounting = new PacketAccounting(StreamRun.TAG, new Phases(0, packets, 0), received);
            sender.connect(receiver.announce());
            sender.send(0, SenderCapture.UNSCHEDULED, sent);
            sender.flush();
            while (accounting.received() < 1) {
                receiver.receive(accounting);
            }
            for (int i = 1; i < packets; i++) {
                sender.send(i, SenderCapture.UNSCHEDULED, sent);
            }
            sender.flush();
            Thread.sleep(1300); // the receiver stalls
            while (!accounting.isComplete()) {
                receiver.receive(accounting);
            }
        }
        assertThat(fieldOf(receiverFile, 2)).isEqualTo(fieldOf(senderFile, 4));
    }

    @Test
    void countsPacketsOfAnotherSizeAsForeign() throws Exception {
        try (ReceiverCapture received = ReceiverCapture.create(directory.resolve("r"), 100, true);
                SenderCapture sent = SenderCapture.create(directory.resolve("s"), 100, true);
                PacketSender sender = transport.openSender(StreamRun.run(400, Map.of()));
                PacketReceiver receiver = transport.openReceiver(StreamRun.receiver(396, Map.of(), sender))) {
            PacketAccounting accounting = new PacketAccounting(StreamRun.TAG, new Phases(0, 100, 0), received);
            sender.connect(receiver.announce());
            for (int i = 0; i < 100; i++) {
                sender.send(i, SenderCapture.UNSCHEDULED, sent);
            }
            sender.flush();
            while (accounting.counts().foreign() < 100) {
                assertThat(receiver.receive(accounting)).isZero();
            }
            assertThat(accounting.received()).isZero();
        }
    }

    private static List<Long> fieldOf(Path capture, int field) throws IOException {
        return StreamRun.records(capture).stream().map(record -> record[field]).toList();
    }

    private static List<Long> sequences(int count) {
        return IntStream.range(0, count).mapToObj(i -> (long) i).toList();
    }
}
