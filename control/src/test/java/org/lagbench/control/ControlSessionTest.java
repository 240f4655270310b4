package org.lagbench.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lagbench.control.Access.Grant;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;

/** Messages over a control connection: those of a session, and those that no peer of this version sends. */
class ControlSessionTest extends ConnectedSides {
    @Test
    void exchangesMessagesWithSameKey() throws Exception {
        assertThat(handshake(KEY, KEY)).isNull();
        Point point = new Point(
                "udp",
                24,
                50_000,
                20_000,
                Pace.flood(),
                TrafficSpec.of(Traffic.ROUND_TRIP),
                new Settings(Map.of("a", "b")),
                new EngineSpec("c", JvmOptions.NONE),
                ObservedSource.DEFAULT,
                RunConditions.DEFAULT);
        ControlMessage.Offer offer = new ControlMessage.Offer(
                new RunSpec("0001-udp-24-r1", point, 1, null), 1_000, 300, "00ff", Map.of("port", "1"));

        sender.write(offer);
        receiver.write(new ControlMessage.Begun());
        sender.write(new ControlMessage.Fetch("receiver-buffers.npy"));

        assertThat(receiver.read()).isEqualTo(offer);
        assertThat(sender.read()).isEqualTo(new ControlMessage.Begun());
        assertThat(receiver.read()).isEqualTo(new ControlMessage.Fetch("receiver-buffers.npy"));
    }

    @Test
    void rejectsChangedMessage() throws Exception {
        assertThat(handshake(KEY, KEY)).isNull();

        senderSocket
                .getOutputStream()
                .write(("0".repeat(64) + "{\"type\":\"begun\"}\n").getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(receiver::read).isInstanceOf(ProtocolException.class).hasMessageContaining("wrong HMAC");
    }

    @Test
    void rejectsRepeatedMessage() throws Exception {
        CompletableFuture<@Nullable Throwable> introduction = inBackground(() -> Handshake.introduce(sender, KEY));
        Handshake.authenticate(receiver, Access.of(KEY, Grant.DEFAULT));
        introduction.get(60, TimeUnit.SECONDS);
        receiver.write(new ControlMessage.Begun());
        byte[] line = senderSocket.getInputStream().readNBytes(64 + "{\"type\":\"begun\"}\n".length());
        try (ServerSocket relay = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket in = new Socket(relay.getInetAddress(), relay.getLocalPort());
                Socket out = relay.accept();
                ControlConnection replayed = ControlConnection.ofSender(in)) {
            replayed.protect(KEY);
            out.getOutputStream().write(line);
            out.getOutputStream().write(line);

            assertThatThrownBy(replayed::read).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void rejectsFloodOfMessages() throws Exception {
        ControlReader reader = new ControlReader(sender);
        CountDownLatch failed = new CountDownLatch(1);
        reader.onFailure(failed::countDown);
        CompletableFuture<@Nullable Throwable> flooding = inBackground(() -> {
            while (true) {
                receiver.write(new ControlMessage.Begun());
            }
        });

        assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(reader.explain(new IOException("unused"))).hasMessageContaining("not requested");
        sender.close();
        assertThat(flooding.get(60, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
    }

    @Test
    void rejectsRandomBytes() throws Exception {
        byte[] garbage = new byte[1 << 20];
        new Random(1).nextBytes(garbage);
        CompletableFuture<@Nullable Throwable> writing = inBackground(() -> {
            senderSocket.getOutputStream().write(garbage);
            senderSocket.close();
        });

        Throwable atReceiver = catchThrowable(() -> Handshake.authenticate(receiver, Access.of(KEY, Grant.DEFAULT)));

        assertThat(atReceiver).isInstanceOf(ProtocolException.class);
        receiver.close();
        writing.get(60, TimeUnit.SECONDS);
    }

    @Test
    void refusesEndlessLine() throws Exception {
        CompletableFuture<@Nullable Throwable> writing = inBackground(() -> {
            senderSocket.getOutputStream().write("x".repeat(200_000).getBytes(StandardCharsets.UTF_8));
            senderSocket.shutdownOutput(); // ends a read that has no limit
        });

        assertThatThrownBy(receiver::read).isInstanceOf(ProtocolException.class).hasMessageContaining("longer than");
        receiver.close();
        writing.get(60, TimeUnit.SECONDS);
    }

    @Test
    void timesOutOnIncompleteMessage() throws Exception {
        receiver.readTimeoutMs(300);
        CompletableFuture<@Nullable Throwable> dripping = inBackground(() -> {
            for (int sent = 0; sent < 1_000; sent++) {
                senderSocket.getOutputStream().write('x');
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            senderSocket.shutdownOutput(); // ends a read that has no limit
        });

        assertThatThrownBy(receiver::read).isInstanceOf(SocketTimeoutException.class);
        receiver.close();
        assertThat(dripping.get(60, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
    }

    @Test
    void reportsPeerThatIsNoReceiver() throws Exception {
        receiverSocket.getOutputStream().write("SSH-2.0-OpenSSH\r\n".getBytes(StandardCharsets.US_ASCII));

        assertThatThrownBy(() -> Handshake.introduce(sender, null))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("is not a lagbench receiver");
    }

    @Test
    void distinguishesEndOfConnectionFromMessage() throws Exception {
        sender.close();

        assertThat(receiver.readUnlessClosed()).isNull();
        assertThatThrownBy(receiver::read).isInstanceOf(EOFException.class);
    }

    @Test
    void reportsFirstFailureOfRun() throws Exception {
        CountDownLatch failures = new CountDownLatch(2);
        ControlReader reader = new ControlReader(sender);
        reader.onFailure(failures::countDown);

        reader.fail(new LagbenchException(ExitCode.BROKEN, "No packet could be sent."));
        receiver.close(); // as a receiver does when the sender gives up
        assertThat(failures.await(60, TimeUnit.SECONDS)).isTrue();

        assertThat(reader.explain(new IOException("the socket was closed"))).hasMessage("No packet could be sent.");
    }

    @Test
    void rejectsIncompleteMessages() throws Exception {
        for (String line : new String[] {
            "{\"type\":\"offer\"}",
            "{\"type\":\"hello\",\"protocol\":1,\"nonce\":null,\"keyNeeded\":false}",
            "null",
            "[]",
            "{}",
            "{\"type\":\"java.lang.Object\"}"
        }) {
            senderSocket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(receiver::read).as(line).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void namesUnexpectedMessage() throws Exception {
        sender.write(new ControlMessage.Begin());

        assertThatThrownBy(() -> receiver.read(ControlMessage.Offer.class))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("\"begin\" instead of \"offer\"");
    }

    @Test
    void rejectsFileNameOutsideRunDirectory() throws Exception {
        for (String name :
                List.of("../receiver.npy", "/etc/passwd", "sender-.npy", "receiver-.npy", "receiver.npy\u0000")) {
            assertThatThrownBy(() -> new ControlMessage.Fetch(name)).isInstanceOf(IllegalArgumentException.class);
        }
        senderSocket
                .getOutputStream()
                .write("{\"type\":\"fetch\",\"file\":\"../receiver.npy\"}\n".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(receiver::read).isInstanceOf(ProtocolException.class);
    }
}
