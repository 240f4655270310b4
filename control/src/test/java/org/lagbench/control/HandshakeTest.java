package org.lagbench.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lagbench.control.Access.Grant;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** What each side proves and learns before the first message of a session. */
class HandshakeTest extends ConnectedSides {
    private static final int TIMEOUT_MS = 60_000; // of a sender that has given up

    @Test
    void completesHandshakeWithoutKey() throws Exception {
        assertThat(handshake(null, null)).isNull();

        sender.write(new ControlMessage.Done(7));

        assertThat(receiver.read(ControlMessage.Done.class).sent()).isEqualTo(7);
    }

    @Test
    void refusesSenderWithAnotherKey() throws Exception {
        Throwable atSender = handshake(OTHER_KEY, KEY);

        assertThat(atSender).isInstanceOf(LagbenchException.class);
        assertThat(((LagbenchException) atSender).exitCode()).isEqualTo(ExitCode.KEY);
        assertThat(atSender).hasMessageContaining("--key-file");
    }

    @Test
    void findsSendersKeyAmongThoseOfReceiver() throws Exception {
        Access access = new Access(
                List.of(new Access.Permission(OTHER_KEY, Grant.DEFAULT), new Access.Permission(KEY, Set.of())),
                Set.of());
        CompletableFuture<@Nullable Throwable> introduction = inBackground(() -> Handshake.introduce(sender, KEY));

        assertThat(Handshake.authenticate(receiver, access).grants()).isEmpty();
        assertThat(introduction.get(60, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void refusesSenderWithoutKeyBeforeItsIntroduction() throws Exception {
        Throwable atSender = handshake(null, KEY);

        assertThat(atSender).isInstanceOf(LagbenchException.class).hasMessageContaining("requires a key");
        assertThat(((LagbenchException) atSender).exitCode()).isEqualTo(ExitCode.KEY);
    }

    @Test
    void rejectsReceiverWithoutKey() throws Exception {
        assertThat(handshake(KEY, null)).isInstanceOf(LagbenchException.class).hasMessageContaining("has no key");
    }

    /** A stranger could pass a proof of the sender on. */
    @Test
    void provesNothingToReceiverWithoutProof() throws Exception {
        receiver.readTimeoutMs(TIMEOUT_MS);
        CompletableFuture<@Nullable Throwable> introduction = inBackground(() -> Handshake.introduce(sender, KEY));
        receiver.write(new ControlMessage.Hello(ControlMessage.PROTOCOL, "00", true));
        receiver.read(ControlMessage.Introduction.class);
        receiver.write(new ControlMessage.Welcome(List.of("00")));

        assertThat(introduction.get(60, TimeUnit.SECONDS)).hasMessageContaining("did not prove");
        sender.close();
        assertThat(receiver.readUnlessClosed()).isNull();
    }

    @Test
    void rejectsSenderThatReflectsTheProof() throws Exception {
        CompletableFuture<@Nullable Throwable> authentication =
                inBackground(() -> Handshake.authenticate(receiver, Access.of(KEY, Grant.DEFAULT)));
        sender.read(ControlMessage.Hello.class);
        sender.write(new ControlMessage.Introduction(ControlMessage.PROTOCOL, "00"));
        String proof = sender.read(ControlMessage.Welcome.class).proofs().get(0);
        sender.write(new ControlMessage.Proof(proof)); // the receiver's own proof, reflected

        assertThat(authentication.get(60, TimeUnit.SECONDS)).hasMessageContaining("did not prove");
    }

    @Test
    void provesKeyByHmacOfRoleAndNonces() throws Exception {
        receiver.readTimeoutMs(TIMEOUT_MS);
        CompletableFuture<@Nullable Throwable> introduction = inBackground(() -> Handshake.introduce(sender, KEY));
        receiver.write(new ControlMessage.Hello(ControlMessage.PROTOCOL, "abc", true));
        ControlMessage.Introduction said = receiver.read(ControlMessage.Introduction.class);
        receiver.write(new ControlMessage.Welcome(List.of(hmac("\0\0\0\21lagbench receiver", said.nonce()))));

        assertThat(receiver.read(ControlMessage.Proof.class).proof())
                .isEqualTo(hmac("\0\0\0\17lagbench sender", said.nonce()));
        assertThat(introduction.get(60, TimeUnit.SECONDS)).isNull();
    }

    private static String hmac(String role, String sendersNonce) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("a key of more than sixteen bytes".getBytes(StandardCharsets.US_ASCII), "any"));
        mac.update((role + "\0\0\0\3abc\0\0\0\100" + sendersNonce).getBytes(StandardCharsets.ISO_8859_1));
        return HexFormat.of().formatHex(mac.doFinal());
    }

    @Test
    void refusesPeerOfAnotherVersion() throws Exception {
        CompletableFuture<@Nullable Throwable> introduction = inBackground(() -> Handshake.introduce(sender, null));
        receiver.write(new ControlMessage.Hello(ControlMessage.PROTOCOL + 1, "00", false));

        assertThat(introduction.get(60, TimeUnit.SECONDS)).hasMessageContaining("same lagbench on both hosts");
    }

    /** An interruption would end a whole sweep. */
    @Test
    void limitsRefusalsBeforeProofOfReceiver() throws Exception {
        for (Refusal reason : Refusal.values()) {
            try (Socket sending = new Socket(server.getInetAddress(), server.getLocalPort());
                    Socket receiving = server.accept();
                    ControlConnection unproven = ControlConnection.ofReceiver(receiving)) {
                unproven.write(new ControlMessage.Refused(reason, "Ended.\n\u001b[31m"));
                Throwable atSender =
                        catchThrowable(() -> Handshake.introduce(ControlConnection.ofSender(sending), KEY));
                ExitCode exitCode = atSender instanceof RefusedException refused
                        ? refused.asFailure().exitCode()
                        : ((LagbenchException) atSender).exitCode();

                assertThat(exitCode).as(reason.name()).isIn(ExitCode.PEER, ExitCode.KEY);
                assertThat(atSender).hasMessageContaining("Ended.\\u000a\\u001b[31m");
            }
        }
    }

    @Test
    void derivesTagOfPacketsFromSessionKey() throws Exception {
        assertThat(handshake(KEY, KEY)).isNull();

        assertThat(sender.runTag("00ff")).isEqualTo(receiver.runTag("00ff"));
        assertThat(sender.runTag("00ff")).isNotEqualTo(sender.runTag("00fe"));
        try (ControlConnection listener =
                ControlConnection.ofSender(new Socket(server.getInetAddress(), server.getLocalPort()))) {
            assertThat(sender.runTag("00ff")).isNotEqualTo(listener.runTag("00ff"));
        }
    }
}
