package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.lagbench.core.clock.ChronyClient.ChronyException;
import org.lagbench.core.clock.ChronyClient.ChronyException.Kind;

/** Uses responders at chronyd's port that are not chronyd, or that reply late or twice. Most tests wait. */
@Execution(ExecutionMode.CONCURRENT)
class ChronyClientTest {
    /** A timeout long enough for a reply on a busy machine; some tests wait until it has passed. */
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** A timeout that is longer than any test. */
    private static final Duration LONG_TIMEOUT = Duration.ofSeconds(60);

    private static ChronyClient client(UdpResponder responder, Duration timeout) throws Exception {
        return new ChronyClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), responder.port()), timeout);
    }

    /** Returns the right reply, to the request or to one with another sequence number. */
    private static byte[] answer(byte[] request, int sequenceOff) {
        return TrackingMessageTest.replyTo(ByteBuffer.wrap(request).getInt(8) + sequenceOff);
    }

    private static void fails(Function<byte[], List<byte[]>> replies, Kind kind, String reason) throws Exception {
        try (UdpResponder responder = new UdpResponder(replies)) {
            ChronyClient client = client(responder, TIMEOUT);
            assertThatThrownBy(client::tracking)
                    .isInstanceOfSatisfying(
                            ChronyException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                    .hasMessageContaining(reason);
        }
    }

    @Test
    void acceptsReply() throws Exception {
        try (UdpResponder responder = new UdpResponder(request -> List.of(answer(request, 0)))) {
            assertThat(client(responder, LONG_TIMEOUT).tracking().referenceAddress())
                    .isEqualTo("10.99.0.1");
            assertThat(responder.requests()).hasSize(1).allMatch(request -> request.length == 104);
        }
    }

    @Test
    void skipsRepliesToOtherRequests() throws Exception {
        try (UdpResponder responder = new UdpResponder(request -> List.of(
                answer(request, 1),
                new byte[0],
                "hello".getBytes(StandardCharsets.UTF_8),
                Arrays.copyOf(answer(request, 0), 103),
                answer(request, 0)))) {
            assertThat(client(responder, LONG_TIMEOUT).tracking().referenceAddress())
                    .isEqualTo("10.99.0.1");
        }
    }

    @Test
    void repeatsUnansweredRequest() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (UdpResponder responder =
                new UdpResponder(request -> count.getAndIncrement() == 0 ? List.of() : List.of(answer(request, 0)))) {
            assertThat(client(responder, Duration.ofSeconds(1)).tracking().stratum())
                    .isEqualTo(9);
            List<byte[]> requests = responder.requests();
            assertThat(requests).hasSize(2);
            assertThat(ByteBuffer.wrap(requests.get(0)).getShort(6)).isZero();
            assertThat(ByteBuffer.wrap(requests.get(1)).getShort(6)).isOne();
            assertThat(ByteBuffer.wrap(requests.get(1)).getInt(8))
                    .isEqualTo(ByteBuffer.wrap(requests.get(0)).getInt(8));
        }
    }

    @Test
    void usesRandomSequenceNumbers() throws Exception {
        try (UdpResponder responder = new UdpResponder(request -> List.of(answer(request, 0)))) {
            for (int i = 0; i < 3; i++) {
                client(responder, LONG_TIMEOUT).tracking();
            }
            assertThat(responder.requests().stream()
                            .map(request -> ByteBuffer.wrap(request).getInt(8)))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void reportsMissingReply() throws Exception {
        fails(request -> List.of(), Kind.NO_REPLY, "no reply within 1000 ms");
    }

    @Test
    void reportsReplyThatIsNotOfChronyd() throws Exception {
        fails(
                request -> List.of("I am not chronyd at all, believe me".getBytes(StandardCharsets.UTF_8)),
                Kind.NOT_UNDERSTOOD,
                "the reply is not from chronyd");
    }

    @Test
    void reportsReplyToAnotherRequest() throws Exception {
        fails(request -> List.of(answer(request, 1)), Kind.NOT_UNDERSTOOD, "the reply is to another request");
    }

    @Test
    void reportsTruncatedReply() throws Exception {
        fails(
                request -> List.of(Arrays.copyOf(answer(request, 0), 60)),
                Kind.NOT_UNDERSTOOD,
                "the reply has 60 bytes instead of 104");
    }

    @Test
    void reportsRefusalAtOnce() throws Exception {
        byte[] refusal = {6, 2, 0, 0, 0, 33, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        try (UdpResponder responder = new UdpResponder(request -> {
            byte[] reply = refusal.clone();
            System.arraycopy(request, 8, reply, 16, 4);
            return List.of(reply);
        })) {
            ChronyClient client = client(responder, LONG_TIMEOUT);
            assertThatThrownBy(client::tracking).hasMessageContaining("not authorized");
            assertThat(responder.requests()).hasSize(1);
        }
    }

    @Test
    void reportsClosedPortAtOnce() throws Exception {
        ChronyClient client = new ChronyClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        assertThatThrownBy(client::tracking)
                .isInstanceOfSatisfying(
                        ChronyException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_REPLY))
                .hasMessage("the command port of chronyd is closed");
    }

    @Test
    void reportsUnknownHost() {
        ChronyClient client = new ChronyClient(InetSocketAddress.createUnresolved("nowhere.invalid", 323));
        assertThat(client.address()).isEqualTo("nowhere.invalid:323");
        assertThatThrownBy(client::tracking).hasMessage("there is no such host");
    }
}
