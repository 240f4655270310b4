package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/** Receivers answer each packet, and senders notice when replies cannot come. */
class InterfaceRoundTripsTest {
    @TempDir
    private Path directory;

    /** Replies to one packet in flight, and to packets on schedule; with a header and without. */
    @ParameterizedTest
    @CsvSource({
        "java-socket, tcp, 1, 1",
        "java-socket, tcp, 1, 992",
        "java-socket, tcp, 0, 992",
        "rmi, tcp, 1, 1",
        "rmi, tcp, 1, 992",
        "rmi, tcp, 0, 992",
        "java-virtual, tcp, 1, 992",
        "netty, tcp, 1, 1",
        "netty, tcp, 0, 992",
        "netty epoll, tcp, 1, 23",
        "netty io_uring, tcp, 1, 992",
        "netty, udp, 1, 24",
        "netty, udp, 0, 992",
        "netty epoll, udp, 1, 992",
        "onc-rpc, tcp, 1, 1",
        "onc-rpc, tcp, 1, 992",
        "onc-rpc, tcp, 0, 992",
        "onc-rpc, tcp, 1, 70000",
        "grpc, tcp, 1, 1",
        "grpc, tcp, 1, 992",
        "grpc, tcp, 0, 992",
        "aeron, udp, 1, 992",
        "aeron, udp, 0, 2000",
        "quic, udp, 1, 24",
        "quic, udp, 1, 40000",
        "quic, udp, 0, 992"
    })
    void answersEachPacket(String engine, String transport, int inFlight, int packetBytes) throws Exception {
        int packets = 60;
        InterfacesTest.Case answering = InterfacesTest.Case.of(engine, transport);
        TrafficSpec traffic = new TrafficSpec(Traffic.ROUND_TRIP, inFlight, Duration.ofSeconds(10));
        InterfaceRun ended;
        try (InterfaceRun run = answering.open(traffic, directory, packetBytes, packets)) {
            Pace pace = inFlight == 1 ? Pace.flood() : new Pace(Pace.Mode.SLEEP, 500_000);
            run.connect().sender.send(-5, packets + 3, pace);
            run.receiver.drain(10_000);
            assertThat(run.failures).isEmpty();
            assertThat(run.receiver.counts().distinct()).isEqualTo(packets);
            ended = run;
        }
        try (CaptureReader sent = CaptureReader.open(ended.sentFile);
                CaptureReader received = CaptureReader.open(ended.receivedFile);
                CaptureReader replies = CaptureReader.open(ended.repliesFile)) {
            assertThat(replies.records()).isEqualTo(packets);
            assertThat(received.records()).isEqualTo(packets);
            for (int i = 0; i < packets; i++) {
                long sentNs = sent.value(i, sent.field("sent_ns"));
                long arrival = recordOf(i, received);
                long reply = recordOf(i, replies);
                long repliedNs = received.value(arrival, received.field("replied_ns"));
                assertThat(sentNs).isLessThanOrEqualTo(sent.value(i, sent.field("returned_ns")));
                assertThat(new long[] {
                            sentNs,
                            received.value(arrival, received.field("received_ns")),
                            repliedNs,
                            replies.value(reply, replies.field("answered_ns"))
                        })
                        .isSorted();
                assertThat(replies.value(reply, replies.field("replied_ns")))
                        .isEqualTo(packetBytes < 24 ? 0 : repliedNs);
            }
        }
    }

    /** Returns where a packet's only record is: the replies of concurrent calls may overtake each other. */
    private static long recordOf(long sequence, CaptureReader capture) throws LagbenchException {
        long record = 0;
        while (capture.value(record, capture.field("seq")) != sequence) {
            record++;
        }
        return record;
    }

    /** The sender refuses a receiver whose certificate is not the announced one. */
    @Test
    void refusesAnotherCertificate() throws Exception {
        try (InterfaceRun run = InterfacesTest.Case.of("quic", "udp").open(directory, 100, 50)) {
            run.receiver.start();
            Map<String, String> announced = new HashMap<>(run.receiver.announce());
            String fingerprint = announced.put("certificate-sha256", "00".repeat(32));
            assertThatThrownBy(() -> run.sender.connect(announced))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining(
                            "presented a different certificate from the one announced on the control connection"
                                    + " (SHA-256 " + fingerprint + "). Check whether")
                    .extracting(e -> ((LagbenchException) e).exitCode())
                    .isEqualTo(ExitCode.PEER);
            assertThat(run.receiver.counts()).isEqualTo(new ReceivedCounts(0, 0, 0, 0, 0, 0, 0, 0, 0));
        }
    }

    /** A datagram socket that never answers: the wait ends with the reply timeout. */
    @Test
    void countsMissingReplies() throws Exception {
        TrafficSpec traffic = new TrafficSpec(Traffic.ROUND_TRIP, 1, Duration.ofMillis(20));
        try (InterfaceRun run = InterfacesTest.Case.of("netty", "udp").open(traffic, directory, 100, 5);
                DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            run.sender.connect(Map.of("port", Integer.toString(silent.getLocalPort())));
            run.sender.send(0, 8, Pace.flood());
            assertThat(run.sender.metadata()).containsEntry("repliesReceived", 0L);
        }
    }

    /** The receiver ends in the middle of round trips; packets sent so far keep their stamps. */
    @ParameterizedTest
    @CsvSource({"java-socket, tcp", "rmi, tcp", "netty, tcp", "quic, udp"})
    void failsToWaitForRepliesAfterTheReceiverEnds(String engine, String transport) throws Exception {
        int packets = 1_000_000;
        TrafficSpec traffic = new TrafficSpec(Traffic.ROUND_TRIP, 1, Duration.ofSeconds(1));
        InterfaceRun ended;
        try (InterfaceRun run = InterfacesTest.Case.of(engine, transport).open(traffic, directory, 100, packets)) {
            run.connect();
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> assertThatThrownBy(() -> run.sender.send(0, packets, Pace.flood()))
                            .isInstanceOf(IOException.class)
                            .hasMessageMatching("(?s).*\\b[Tt]he receiver .*"));
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> run.receiver.counts().received() > 10);
            run.receiver.close();
            sending.get(60, TimeUnit.SECONDS);
            ended = run;
        }
        try (CaptureReader sent = CaptureReader.open(ended.sentFile);
                CaptureReader replies = CaptureReader.open(ended.repliesFile)) {
            assertThat(sent.records()).isBetween(replies.records(), replies.records() + 1);
            assertThat(replies.records()).isGreaterThan(10);
        }
    }
}
