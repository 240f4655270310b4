package org.lagbench.native1394;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.engine.JavaEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.Phases;

/** Packets on one channel and their replies on another, through the real libraw1394 on the virtual bus. */
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@EnabledIf(value = StreamRun.IS_POSSIBLE, disabledReason = StreamRun.NO_LIBRARY)
class BusRoundTripTest {
    private static final int WARM_UP = 5;
    private static final int LEAD_OUT = 3;

    private final Path directory;

    BusRoundTripTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @CsvSource({"24, 1", "992, 1", "396, unlimited"})
    void stampsEachRoundTripInOrder(int packetBytes, String inFlight) throws Exception {
        int packets = 300;

        Records records = roundTrips(packetBytes, packets, RunParameters.IN_FLIGHT.parse(inFlight), Map.of());

        Map<Long, long[]> received = bySequence(records.received);
        Map<Long, long[]> answered = bySequence(records.answered);
        assertThat(records.sent)
                .extracting(record -> record[0])
                .containsExactlyElementsOf(LongStream.range(0, packets).boxed().toList());
        assertThat(received).hasSize(packets);
        assertThat(answered).hasSize(packets);
        for (long[] sent : records.sent) {
            long[] there = of(received, sent[0]);
            long[] back = of(answered, sent[0]);
            long sentNs = sent[2];
            long receivedNs = there[1];
            long repliedNs = there[2];
            assertThat(back[2]).as("replied stamp in reply %d", sent[0]).isEqualTo(repliedNs);
            assertThat(LongStream.of(sentNs, receivedNs, repliedNs, back[1]))
                    .as("sent, received, replied, answered of %d", sent[0])
                    .isSorted();
            // A packet is delivered after the end of a cycle, so that its reply needs another cycle.
            assertThat(back[1] - sentNs).as("round trip %d in ns", sent[0]).isGreaterThan(Ieee1394Transport.CYCLE_NS);
        }
    }

    @Test
    void sendsTheNextPacketAfterTheReply() throws Exception {
        Records records = roundTrips(24, 100, 1, Map.of());

        Map<Long, long[]> answered = bySequence(records.answered);
        for (int i = 1; i < records.sent.size(); i++) {
            assertThat(records.sent.get(i)[2])
                    .as("sent after reply %d", i - 1)
                    .isGreaterThanOrEqualTo(of(answered, i - 1)[1]);
        }
    }

    @Test
    void reservesTheReplyChannelOfTheExperiment() throws Exception {
        Records records = roundTrips(24, 20, 1, Map.of("channel", "40", "reply-channel", "41"));

        assertThat(records.senderMetadata).containsEntry("channel", 40);
        assertThat(records.receiverMetadata).containsEntry("channel", 40).containsEntry("replyChannel", 41);
        assertThat(records.answered).hasSize(20);
    }

    /** If the receiver does not receive, no replies arrive. They are counted as lost after the reply timeout. */
    @Test
    void continuesAfterTheTimeoutWithoutReplies() throws Exception {
        try (Sides sides = new Sides(24, 5, 1, Duration.ofMillis(20), Map.of())) {
            sides.sender.connect(sides.receiver.announce()); // the receiver is open, but does not receive
            sides.sender.send(0, 5, Pace.flood());

            assertThat(sides.sender.metadata()).containsEntry("repliesReceived", 0L);
            assertThat(sides.sent.records()).isEqualTo(5);
        }
    }

    /**
     * A bus has 4,915 bandwidth units. A channel with packets of 483 quadlets at S400 takes 512 + 4 · (3 + 483) of
     * them, so that two channels fit.
     */
    @Test
    void carriesLargestPacketsOnBothChannels() throws Exception {
        assertThat(roundTrips(4 * 483, 5, 1, Map.of()).answered).hasSize(5);
    }

    @Test
    void refusesPacketsThatFitOnlyOneWay() {
        assertThatThrownBy(() -> roundTrips(4 * 484, 5, 1, Map.of()))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("cannot open the sender of the replies: the bus has too little");
    }

    @Test
    void refusesOneChannelForBothWays() {
        assertThatThrownBy(() -> roundTrips(24, 5, 1, Map.of("channel", "7", "reply-channel", "7")))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("channel and reply-channel are both 7");
    }

    private record Records(
            List<long[]> sent,
            List<long[]> received,
            List<long[]> answered,
            Map<String, Object> senderMetadata,
            Map<String, Object> receiverMetadata) {}

    private Records roundTrips(int packetBytes, int packets, int inFlight, Map<String, String> settings)
            throws Exception {
        Map<String, Object> senderMetadata;
        Map<String, Object> receiverMetadata;
        try (Sides sides = new Sides(packetBytes, packets, inFlight, Duration.ofSeconds(20), settings)) {
            sides.receiver.start();
            sides.sender.connect(sides.receiver.announce());
            sides.sender.send(-WARM_UP, packets + LEAD_OUT, Pace.flood());
            sides.receiver.drain(60_000);
            assertThat(sides.failures).isEmpty();
            senderMetadata = sides.sender.metadata();
            receiverMetadata = sides.receiver.metadata();
        }
        return new Records(
                StreamRun.records(directory.resolve(SenderCapture.FILE_NAME)),
                StreamRun.records(directory.resolve(ReceiverCapture.FILE_NAME)),
                StreamRun.records(directory.resolve(ReceiverCapture.REPLIES_FILE_NAME)),
                senderMetadata,
                receiverMetadata);
    }

    private static long[] of(Map<Long, long[]> records, long sequence) {
        return Objects.requireNonNull(records.get(sequence), () -> "no record of " + sequence);
    }

    private static Map<Long, long[]> bySequence(List<long[]> records) {
        Map<Long, long[]> bySequence = new HashMap<>();
        records.forEach(record -> bySequence.put(record[0], record));
        return bySequence;
    }

    /** Both sides of a run with the engine java, in this process. */
    private final class Sides implements AutoCloseable {
        final List<String> failures = new CopyOnWriteArrayList<>();
        final SenderCapture sent;
        final ReceiverCapture received;
        final ReceiverCapture replies;
        final SendEngine sender;
        final ReceiveEngine receiver;

        Sides(int packetBytes, int packets, int inFlight, Duration replyTimeout, Map<String, String> settings)
                throws Exception {
            Ieee1394Transport transport = new Ieee1394Transport();
            JavaEngine engine = new JavaEngine();
            assertThat(engine.serves(transport, Traffic.ROUND_TRIP)).isTrue();
            Path sentFile = directory.resolve(SenderCapture.FILE_NAME);
            Path receivedFile = directory.resolve(ReceiverCapture.FILE_NAME);
            sent = SenderCapture.create(sentFile, packets, true);
            received = ReceiverCapture.create(receivedFile, packets, ReceiverCapture.ANSWERED_FIELDS);
            replies = ReceiverCapture.create(
                    directory.resolve(ReceiverCapture.REPLIES_FILE_NAME), packets, ReceiverCapture.REPLY_FIELDS);
            TrafficSpec traffic = new TrafficSpec(Traffic.ROUND_TRIP, inFlight, replyTimeout);
            Phases phases = new Phases(WARM_UP, packets, LEAD_OUT);
            sender = engine.openSender(
                    StreamRun.side(packetBytes, settings, traffic, phases, sentFile, replies, Map.of()), sent);
            try {
                receiver = engine.openReceiver(
                        StreamRun.side(packetBytes, settings, traffic, phases, receivedFile, null, sender.announce()),
                        received,
                        failures::add);
            } catch (LagbenchException e) {
                sender.close();
                throw e;
            }
        }

        @Override
        public void close() throws IOException {
            sender.close();
            receiver.close();
            sent.close();
            received.close();
            replies.close();
        }
    }
}
