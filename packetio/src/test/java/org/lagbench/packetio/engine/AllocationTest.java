package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.nativeengine.Runs;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.Phases;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** Pacing, sending, receiving and recording a packet allocates nothing. */
class AllocationTest {
    private static final int WARM_UP = 10_000;
    private static final int PACKETS = 20_000;
    private static final int BLOCK = 2_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "udp, SYSTEM_CALLS, 1, none, 16, FLOOD",
        "udp, SYSTEM_CALLS, 16, none, 16, FLOOD",
        "udp, SYSTEM_CALLS, 1, 1s, 1, FLOOD",
        "udp, SYSTEM_CALLS, 16, 50us, 16, FLOOD",
        "udp, SYSTEM_CALLS, 1, none, 1, HYBRID",
        "tcp, SYSTEM_CALLS, 1, none, 1, FLOOD",
        "tcp, CHANNELS, 1, none, 1, FLOOD",
        "udp, CHANNELS, 1, none, 1, FLOOD",
        "tcp, CHANNELS, 1, none, 1, SLEEP",
        "udp, CHANNELS, 1, none, 1, SPIN",
        "udp, CHANNELS, 1, none, 1, HYBRID"
    })
    void allocatesNothingPerPacket(
            String transport, SocketApi socketApi, String batch, String busyPoll, int pushed, Pace.Mode mode)
            throws Exception {
        Runs runs = new Runs(transport);
        Map<String, String> settings =
                transport.equals("tcp") ? Map.of() : Map.of("batch", batch, "busy-poll", busyPoll);
        Pace pace = mode == Pace.Mode.FLOOD ? Pace.flood() : new Pace(mode, 10_000);
        try (ReceiverCapture received = ReceiverCapture.create(receiverFile(), PACKETS, false)) {
            moveAll(runs, runs.run(396, settings, socketApi), pace, pushed, received);
        }
    }

    /** The threads that record kernel stamps and buffer occupancy allocate nothing per packet. */
    @ParameterizedTest
    @CsvSource({"udp", "tcp"})
    void allocatesNothingWhileRecordingStages(String transport) throws Exception {
        Runs runs = new Runs(transport);
        SideConfig run = runs.side(396, Map.of())
                .phases(WARM_UP, PACKETS, 0)
                .observe(ObservedSource.TIMESTAMPING)
                .file(directory.resolve(SenderCapture.FILE_NAME))
                .build();
        try (ReceiverCapture received =
                ReceiverCapture.create(receiverFile(), PACKETS, ReceiverCapture.KERNEL_FIELDS)) {
            moveAll(runs, run, Pace.flood(), 1, received);
        }
    }

    /** Neither the sending thread nor those that receive packets and replies allocate anything per round trip. */
    @ParameterizedTest
    @CsvSource({
        "udp, java, 1, 396",
        "tcp, java, 1, 1",
        "udp, java-nio, 1, 396",
        "tcp, java-nio, 1, 396",
        "udp, java-nio, unlimited, 396",
        "tcp, java, unlimited, 396"
    })
    void allocatesNothingPerRoundTrip(String transport, String engine, String inFlight, int packetBytes)
            throws Exception {
        Runs runs = new Runs(transport);
        TrafficSpec traffic = new TrafficSpec(
                Traffic.ROUND_TRIP,
                RunParameters.IN_FLIGHT.parse(inFlight),
                RunParameters.REPLY_TIMEOUT.defaultValue());
        Path file = directory.resolve(SenderCapture.FILE_NAME);
        Pace pace = traffic.isPingPong() ? Pace.flood() : new Pace(Pace.Mode.SPIN, 20_000);
        try (SenderCapture sent = SenderCapture.create(file, PACKETS, false);
                ReceiverCapture replies = ReceiverCapture.create(
                        directory.resolve(ReceiverCapture.REPLIES_FILE_NAME), PACKETS, ReceiverCapture.REPLY_FIELDS);
                ReceiverCapture received =
                        ReceiverCapture.create(receiverFile(), PACKETS, ReceiverCapture.ANSWERED_FIELDS);
                ReceiveEngine receiver = runs.openReceiver(
                        engine,
                        runs.roundTrips(packetBytes, Map.of(), traffic, PACKETS, WARM_UP, 1, receiverFile(), null),
                        received,
                        why -> {});
                SendEngine sender = runs.openSender(
                        engine,
                        runs.roundTrips(packetBytes, Map.of(), traffic, PACKETS, WARM_UP, 1, file, replies),
                        sent)) {
            receiver.start();
            sender.connect(receiver.announce());
            sender.send(-WARM_UP, 0, pace);
            List<Thread> receiving = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("packets"))
                    .toList();
            assertThat(receiving).hasSize(traffic.isPingPong() ? 1 : 2);
            // on a busy machine the JDK's channels are compiled late; an object of each packet is in every block
            long lowestBytes = Long.MAX_VALUE;
            for (int first = 0; first < PACKETS; first += BLOCK) {
                long before = allocatedBy(receiving);
                sender.send(first, first + BLOCK, pace);
                lowestBytes = Math.min(lowestBytes, allocatedBy(receiving) - before);
            }
            sender.send(PACKETS, PACKETS + 1, pace);
            assertThat(lowestBytes)
                    .as("bytes for each of %s packets", BLOCK)
                    .isLessThan(8 * BLOCK); // an object needs 16 bytes or more; the calls allocate little
            assertThat(sent.records()).isEqualTo(PACKETS);
        }
    }

    /** Returns the bytes that this thread and those that receive have allocated. */
    private long allocatedBy(List<Thread> receiving) {
        return threads.getCurrentThreadAllocatedBytes()
                + receiving.stream()
                        .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.getId()))
                        .sum();
    }

    private Path receiverFile() {
        return directory.resolve(ReceiverCapture.FILE_NAME);
    }

    /** @param pushed how many packets are sent together */
    private void moveAll(Runs runs, SideConfig run, Pace pace, int pushed, ReceiverCapture received) throws Exception {
        Pacer pacer = Pacer.of(pace);
        try (SenderCapture sent = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), PACKETS, false);
                PacketReceiver receiver = runs.receiver(run);
                PacketSender sender = runs.sender(run)) {
            PacketAccounting accounting = new PacketAccounting(Runs.TAG, new Phases(WARM_UP, PACKETS, 0), received);
            sender.connect(receiver.announce());
            pacer.start();
            long before = 0;
            for (long sequence = -WARM_UP; sequence < PACKETS; sequence++) {
                if (sequence == 0) {
                    pacer.start();
                    before = threads.getCurrentThreadAllocatedBytes();
                }
                sender.send(sequence, pacer.await(sequence < 0 ? sequence + WARM_UP : sequence), sent);
                if ((sequence + WARM_UP + 1) % pushed == 0) {
                    sender.push();
                    while (accounting.warmUpReceived() + accounting.received() < sequence + WARM_UP + 1) {
                        receiver.receive(accounting);
                    }
                }
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(accounting.isComplete()).isTrue();
            sender.endSocketRecord();
            receiver.endSocketRecord();
            // an object for each packet would need 16 bytes or more; the JVM itself allocates less in total
            assertThat(allocated).as("bytes for all %s packets", PACKETS).isLessThan(PACKETS);
        }
    }
}
