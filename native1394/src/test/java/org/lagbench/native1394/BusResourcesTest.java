package org.lagbench.native1394;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.Phases;

/** The resources of a run on the virtual bus: ports, channels, bandwidth, threads, files. */
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@EnabledIf(value = StreamRun.IS_POSSIBLE, disabledReason = StreamRun.NO_LIBRARY)
class BusResourcesTest {
    private final Ieee1394Transport transport = new Ieee1394Transport();

    private final Path directory;

    BusResourcesTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void choosesAReceivingPortOnTheSendersBus() throws Exception {
        assertThat(StreamRun.flood(directory.resolve("0"), 24, 50, Map.of()).receiverMetadata())
                .containsEntry("port", 1);
        assertThat(StreamRun.flood(directory.resolve("1"), 24, 50, Map.of("sender-port", "1"))
                        .receiverMetadata())
                .containsEntry("port", 0);
        assertThatThrownBy(() -> Port.receiving(OptionalInt.empty(), 0x1234))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("0000000000001234")
                .hasMessageContaining("receiver-port");
    }

    /** A port is only wrong on the sender's own host: two hosts may each use their port 0. */
    @Test
    void refusesToReceiveAtTheSendersOwnPort() throws Exception {
        long guid = Port.list().get(1).guid();

        assertThatThrownBy(() -> Port.receiving(OptionalInt.of(1), guid))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessageContaining("receiver-port: port 1 is also the sender's");
        assertThat(Port.receiving(OptionalInt.of(0), guid)).isZero();
        assertThat(Port.receiving(OptionalInt.of(1), 0x1234)).isEqualTo(1);
    }

    @Test
    void namesAMissingPort() {
        assertThatThrownBy(() -> transport.openSender(StreamRun.run(24, Map.of("sender-port", "15"))))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("port 15")
                .hasMessageContaining("no such port");
    }

    @Test
    void choosesDifferentChannels() throws Exception {
        List<String> channels = new ArrayList<>();
        try (PacketSender first = transport.openSender(StreamRun.run(24, Map.of()));
                PacketSender second = transport.openSender(StreamRun.run(24, Map.of()))) {
            channels.add(first.announce().get("channel"));
            channels.add(second.announce().get("channel"));
        }
        assertThat(channels).doesNotHaveDuplicates();
    }

    @Test
    void rejectsASecondSenderOnAChannel() throws Exception {
        Map<String, String> channel = Map.of("channel", "7");
        try (PacketSender first = transport.openSender(StreamRun.run(24, channel))) {
            assertThat(first.announce()).containsEntry("channel", "7");
            Port before = Port.list().get(0);

            assertThatThrownBy(() -> transport.openSender(StreamRun.run(24, channel)))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining("channel is already reserved")
                    .hasMessageContaining("auto");
            assertThat(Port.list().get(0)).isEqualTo(before);
        }
    }

    @Test
    void rejectsSenderIfBandwidthIsUsedUp() throws Exception {
        try (PacketSender first = transport.openSender(StreamRun.run(4096, Map.of()))) {
            assertThat(first.announce()).containsKey("channel");
            Port before = Port.list().get(0);

            assertThatThrownBy(() -> transport.openSender(StreamRun.run(396, Map.of())))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining("bandwidth");
            assertThat(Port.list().get(0)).isEqualTo(before);
        }
    }

    @Test
    void keepsTheReservationAfterABusReset() throws Exception {
        Port before = Port.list().get(0);
        try (SenderCapture sent = SenderCapture.create(directory.resolve("s"), 100_000, true);
                PacketSender sender = transport.openSender(StreamRun.run(992, Map.of("channel", "11")))) {
            Port during = Port.list().get(0);
            sender.connect(Map.of());
            Process reset = new ProcessBuilder(
                            Raw1394.FILES.directory().resolve("test/reset_bus").toString())
                    .inheritIO()
                    .start();
            int sequence = 0;
            while (sender.metadata().get("busResets").equals(0)) {
                sender.send(sequence++, SenderCapture.UNSCHEDULED, sent);
            }
            sender.flush();
            assertThat(reset.waitFor()).isZero();
            assertThat(Port.list().get(0)).isEqualTo(during);
            assertThat(during.channels()).isEqualTo(before.channels() & ~(1L << 11));
        }
        assertThat(Port.list().get(0)).isEqualTo(before);
    }

    @Test
    void closingReleasesChannelAndBandwidth() throws Exception {
        Port before = Port.list().get(0);
        PacketSender sender = transport.openSender(StreamRun.run(992, Map.of("channel", "5")));
        Port during = Port.list().get(0);
        sender.close();
        sender.close();

        assertThat(before.channels() & ~during.channels()).isEqualTo(1L << 5);
        assertThat(before.bandwidthUnits() - during.bandwidthUnits()).isEqualTo(1516);
        assertThat(Port.list().get(0)).isEqualTo(before);
    }

    @Test
    void closingEndsABlockedReceive() throws Exception {
        try (ReceiverCapture capture = ReceiverCapture.create(directory.resolve("r"), 1, true);
                PacketSender sender = transport.openSender(StreamRun.run(24, Map.of()))) {
            PacketReceiver receiver = transport.openReceiver(StreamRun.receiver(24, Map.of(), sender));
            PacketAccounting accounting = new PacketAccounting(StreamRun.TAG, new Phases(0, 1, 0), capture);
            CountDownLatch once = new CountDownLatch(1);
            CompletableFuture<Integer> end = CompletableFuture.supplyAsync(() -> {
                try {
                    int count = 0;
                    while (count == 0) {
                        once.countDown();
                        count = receiver.receive(accounting);
                    }
                    return count;
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            once.await();
            receiver.close();
            assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(PacketReceiver.END);
        }
    }

    @Test
    void closingEndsABlockedSend() throws Exception {
        PacketSender sender = transport.openSender(StreamRun.run(24, Map.of()));
        sender.connect(Map.of());
        CountDownLatch sending = new CountDownLatch(100);
        try (SenderCapture capture = SenderCapture.create(directory.resolve("s"), 1_000_000, true)) {
            CompletableFuture<Exception> end = CompletableFuture.supplyAsync(() -> {
                try {
                    for (int i = 0; i < 1_000_000; i++) {
                        sender.send(i, SenderCapture.UNSCHEDULED, capture);
                        sending.countDown();
                    }
                    return new IllegalStateException("the sender did not notice");
                } catch (IOException e) {
                    return e;
                }
            });
            sending.await();
            sender.close();
            assertThat(end.get(60, TimeUnit.SECONDS)).isInstanceOf(ClosedChannelException.class);
            assertThat(capture.records()).isGreaterThan(32);
        }
    }

    @Test
    void leavesNothingOpenAfterAFloodAndFailures() throws Exception {
        StreamRun.flood(directory.resolve("0"), 24, 100, Map.of());
        long before = openFiles();
        for (int i = 1; i <= 5; i++) {
            StreamRun.flood(directory.resolve(Integer.toString(i)), 24, 100, Map.of());
            assertThatThrownBy(() -> transport.openSender(StreamRun.run(24, Map.of("sender-port", "15"))))
                    .isInstanceOf(LagbenchException.class);
        }
        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(openFiles()).isLessThanOrEqualTo(before));
    }

    /**
     * Counts the open files without the JVM's own: class archives, which it opens on first use, and pipes to processes.
     */
    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.map(BusResourcesTest::target)
                    .filter(file -> !file.endsWith(".jar") && !file.startsWith("pipe:"))
                    .count();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "pipe: closed since"; // such as the descriptor for listing the directory
        }
    }
}
