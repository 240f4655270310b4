package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.nativeengine.Runs;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;
import org.lagbench.packetio.transport.SideConfig;

/** Every engine answers each packet once, and stamps it in the order of events. */
class RoundTripTest {
    private static final int WARM_UP = 40;
    private static final int PACKETS = 200;
    private static final int LEAD_OUT = 10;

    /** 40 ms less a tick of the kernel's timer. */
    private static final long DELAYED_ACKNOWLEDGMENT_NS = 30_000_000;

    @TempDir
    private Path directory;

    private record Trip(String transport, String from, String to, int packetBytes, int inFlight) {}

    static Stream<Trip> trips() {
        List<Trip> all = new ArrayList<>();
        List<List<String>> engines = List.of(
                List.of("java", "java"),
                List.of("java-nio", "java-nio"),
                List.of("c", "c"),
                List.of("java", "c"),
                List.of("c", "java-nio"));
        for (List<String> sides : engines) {
            for (String transport : List.of("tcp", "udp")) {
                all.add(new Trip(transport, sides.get(0), sides.get(1), 24, 1));
            }
            all.add(new Trip("tcp", sides.get(0), sides.get(1), 992, RunParameters.UNLIMITED));
            // so small that a socket's default buffer holds all, if its thread does not run
            all.add(new Trip("udp", sides.get(0), sides.get(1), 24, RunParameters.UNLIMITED));
            all.add(new Trip("tcp", sides.get(0), sides.get(1), 1, 1));
        }
        all.add(new Trip("tcp", "java", "java", 23, 1));
        all.add(new Trip("tcp", "c", "c", 100_000, 1));
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("trips")
    void answersEachPacketOnceWithItsStamps(Trip trip) throws Exception {
        Runs runs = new Runs(trip.transport);
        Path senders = directory.resolve(SenderCapture.FILE_NAME);
        Path answered = directory.resolve(ReceiverCapture.REPLIES_FILE_NAME);
        Path receivers = directory.resolve(ReceiverCapture.FILE_NAME);
        List<String> failures = new CopyOnWriteArrayList<>();
        TrafficSpec traffic =
                new TrafficSpec(Traffic.ROUND_TRIP, trip.inFlight, RunParameters.REPLY_TIMEOUT.defaultValue());
        Pace pace = trip.inFlight == 1 ? Pace.flood() : new Pace(Pace.Mode.HYBRID, 100_000);
        try (SenderCapture sent = SenderCapture.create(senders, PACKETS, false);
                ReceiverCapture replies = ReceiverCapture.create(answered, PACKETS + 10, ReceiverCapture.REPLY_FIELDS);
                ReceiverCapture received =
                        ReceiverCapture.create(receivers, PACKETS + 10, ReceiverCapture.ANSWERED_FIELDS);
                ReceiveEngine receiver = runs.openReceiver(
                        trip.to, config(runs, trip, traffic, receivers, null), received, failures::add);
                SendEngine sender = runs.openSender(trip.from, config(runs, trip, traffic, senders, replies), sent)) {
            receiver.start();
            sender.connect(receiver.announce());
            sender.send(-WARM_UP, -LEAD_OUT, pace);
            sender.send(-LEAD_OUT, PACKETS + LEAD_OUT, pace);
            receiver.drain(1_000);
            while (receiver.counts().leadOutReceived()
                    < LEAD_OUT) { // the receiver counts the last packet after its reply
                assertThat(Thread.interrupted()).as("timed out").isFalse();
                LockSupport.parkNanos(10_000);
            }
            assertThat(failures).isEmpty();
            assertThat(receiver.counts())
                    .isEqualTo(new ReceivedCounts(PACKETS, PACKETS, 0, 0, 0, 0, WARM_UP, LEAD_OUT, 0));
            assertThat(sender.metadata().get("repliesReceived")).hasToString(Integer.toString(PACKETS));
            assertThat(sender.metadata().get("repliesForeign")).hasToString("0");
        }
        checkCaptures(trip, senders, receivers, answered);
    }

    /**
     * With Nagle's algorithm the second part of a packet waits for the delayed acknowledgment of the first: 40 ms, of
     * the kernel's timer (TCP_DELACK_MIN). A small packet in one part does not wait.
     */
    @ParameterizedTest
    @CsvSource({"java, 2, true", "java-nio, 2, true", "c, 2, true", "java, 1, false", "c, 1, false"})
    void secondWriteWaitsForDelayedAcknowledgment(String engine, String writes, boolean isDelayed) throws Exception {
        Runs runs = new Runs("tcp");
        Path file = directory.resolve(SenderCapture.FILE_NAME);
        Path answered = directory.resolve(ReceiverCapture.REPLIES_FILE_NAME);
        Path receivers = directory.resolve(ReceiverCapture.FILE_NAME);
        Map<String, String> settings = Map.of("no-delay", "false", "writes", writes);
        TrafficSpec traffic = TrafficSpec.of(Traffic.ROUND_TRIP);
        int packets = 15;
        try (SenderCapture sent = SenderCapture.create(file, packets, false);
                ReceiverCapture replies = ReceiverCapture.create(answered, packets, ReceiverCapture.REPLY_FIELDS);
                ReceiverCapture received = ReceiverCapture.create(receivers, packets, ReceiverCapture.ANSWERED_FIELDS);
                ReceiveEngine receiver = runs.openReceiver(
                        engine,
                        runs.roundTrips(2, settings, traffic, packets, 0, 1, receivers, null),
                        received,
                        why -> {});
                SendEngine sender = runs.openSender(
                        engine, runs.roundTrips(2, settings, traffic, packets, 0, 1, file, replies), sent)) {
            receiver.start();
            sender.connect(receiver.announce());
            sender.send(0, packets + 1L, Pace.flood());
        }
        try (CaptureReader sent = CaptureReader.open(file);
                CaptureReader replies = CaptureReader.open(answered)) {
            long[] tripsNs = new long[packets];
            for (int i = 0; i < packets; i++) {
                tripsNs[i] = value(replies, i, "answered_ns") - value(sent, i, "sent_ns");
            }
            Arrays.sort(tripsNs);
            assertThat(tripsNs[packets / 2] >= DELAYED_ACKNOWLEDGMENT_NS).isEqualTo(isDelayed);
        }
    }

    private static SideConfig config(
            Runs runs, Trip trip, TrafficSpec traffic, Path file, @Nullable ReceiverCapture replies)
            throws LagbenchException {
        return runs.roundTrips(trip.packetBytes, Map.of(), traffic, PACKETS, WARM_UP, LEAD_OUT, file, replies);
    }

    private static void checkCaptures(Trip trip, Path senders, Path receivers, Path answered) throws LagbenchException {
        try (CaptureReader sent = CaptureReader.open(senders);
                CaptureReader received = CaptureReader.open(receivers);
                CaptureReader replies = CaptureReader.open(answered)) {
            assertThat(List.of(sent.records(), received.records(), replies.records()))
                    .containsOnly((long) PACKETS);
            long lastAnsweredNs = 0;
            for (int i = 0; i < PACKETS; i++) {
                assertThat(List.of(value(sent, i, "seq"), value(received, i, "seq"), value(replies, i, "seq")))
                        .containsOnly((long) i);
                long sentNs = value(sent, i, "sent_ns");
                long repliedNs = value(received, i, "replied_ns");
                long answeredNs = value(replies, i, "answered_ns");
                assertThat(new long[] {value(sent, i, "scheduled_ns"), sentNs, value(sent, i, "returned_ns")})
                        .isSorted();
                assertThat(value(received, i, "received_ns")).isGreaterThan(sentNs);
                assertThat(repliedNs).isGreaterThanOrEqualTo(value(received, i, "received_ns"));
                assertThat(answeredNs).isGreaterThan(repliedNs);
                assertThat(value(replies, i, "replied_ns")).isEqualTo(trip.packetBytes < 24 ? 0 : repliedNs);
                if (trip.inFlight == 1) {
                    assertThat(sentNs).isGreaterThan(lastAnsweredNs);
                }
                lastAnsweredNs = answeredNs;
            }
        }
    }

    private static long value(CaptureReader capture, long record, String field) throws LagbenchException {
        return capture.value(record, capture.field(field));
    }
}
