package org.lagbench.control;

import java.io.IOException;
import java.net.ProtocolException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.key.SharedKey;

/**
 * The start of a control session: checks the version and the key. Each side proves the key by an HMAC over its role and
 * both nonces, the receiver first, so that neither a listener nor a replay succeeds, and a sender proves nothing to a
 * stranger. Then a key of this session protects every message. Addresses are in no proof, because a NAT changes them:
 * who passes on the messages of both sides completes the handshake, but cannot write a message after it.
 */
public final class Handshake {
    private static final int NONCE_BYTES = 32;
    private static final String RECEIVER = "receiver";
    private static final String SENDER = "sender";

    private Handshake() {}

    /**
     * Performs the receiver's part, and returns the permission of the key that the sender has proven.
     *
     * @throws LagbenchException if the sender was refused; with {@link ExitCode#KEY} if its proof is wrong
     */
    public static Access.Permission authenticate(ControlConnection connection, Access access)
            throws IOException, LagbenchException {
        String nonce = SharedKey.newText(NONCE_BYTES);
        connection.write(new ControlMessage.Hello(ControlMessage.PROTOCOL, nonce, access.needsKey()));
        ControlMessage.Introduction introduction = connection.read(ControlMessage.Introduction.class);
        if (introduction.protocol() != ControlMessage.PROTOCOL) {
            throw refuse(connection, Refusal.VERSION, otherVersion("receiver", introduction.protocol()));
        }
        if (!access.needsKey()) {
            connection.write(new ControlMessage.Welcome(List.of()));
            return access.permissions().get(0);
        }
        connection.write(new ControlMessage.Welcome(access.permissions().stream()
                .map(permission -> proof(key(permission), RECEIVER, nonce, introduction.nonce()))
                .toList()));
        String proof = connection.read(ControlMessage.Proof.class).proof();
        Access.Permission proven = access.permissions().stream()
                .filter(permission -> isEqual(proof, proof(key(permission), SENDER, nonce, introduction.nonce())))
                .findFirst()
                .orElseThrow(() -> ExitCode.KEY.failure("The sender did not prove a key that the receiver accepts."));
        connection.protect(key(proven).derive(nonce, introduction.nonce()));
        return proven;
    }

    private static SharedKey key(Access.Permission permission) {
        return Objects.requireNonNull(permission.key(), "needsKey");
    }

    /**
     * Performs the sender's part.
     *
     * @param key the shared key, or null if there is none
     * @throws LagbenchException if the receiver refuses, or does not prove the key
     */
    public static void introduce(ControlConnection connection, @Nullable SharedKey key)
            throws IOException, LagbenchException {
        try {
            exchangeProofs(connection, key);
        } catch (RefusedException e) {
            if (e.reason().isBeforeProof()) {
                throw e;
            }
            throw ExitCode.PEER.failure("The receiver at " + connection.peer() + " refused: " + e.getMessage(), e);
        }
    }

    private static void exchangeProofs(ControlConnection connection, @Nullable SharedKey key)
            throws IOException, LagbenchException {
        ControlMessage.Hello hello;
        try {
            hello = connection.read(ControlMessage.Hello.class);
        } catch (ProtocolException e) {
            throw ExitCode.PEER.failure("The program at " + connection.peer() + " is not a lagbench receiver.", e);
        }
        if (hello.protocol() != ControlMessage.PROTOCOL) {
            throw ExitCode.PEER.failure(otherVersion("sender", hello.protocol()));
        }
        if (key == null && hello.keyNeeded()) {
            throw ExitCode.KEY.failure("The receiver at " + connection.peer() + " requires a key: set "
                    + SharedKey.VARIABLE + " or --key-file.");
        }
        if (key != null && !hello.keyNeeded()) {
            throw ExitCode.KEY.failure("The receiver at " + connection.peer()
                    + " has no key, so it cannot prove its identity; give it the same "
                    + SharedKey.VARIABLE + " or --key-file.");
        }
        String nonce = SharedKey.newText(NONCE_BYTES);
        connection.write(new ControlMessage.Introduction(ControlMessage.PROTOCOL, nonce));
        ControlMessage.Welcome welcome = connection.read(ControlMessage.Welcome.class);
        if (key != null) {
            String expected = proof(key, RECEIVER, hello.nonce(), nonce);
            if (welcome.proofs().stream().noneMatch(proof -> isEqual(proof, expected))) {
                throw ExitCode.KEY.failure("The receiver at " + connection.peer()
                        + " did not prove that it has the sender's key; give both the same " + SharedKey.VARIABLE
                        + " or --key-file.");
            }
            connection.write(new ControlMessage.Proof(proof(key, SENDER, hello.nonce(), nonce)));
            connection.protect(key.derive(hello.nonce(), nonce));
        }
    }

    /** Sends a refusal to the peer, and returns the exception to throw on this side. */
    public static LagbenchException refuse(ControlConnection connection, Refusal reason, String text)
            throws IOException {
        connection.write(new ControlMessage.Refused(reason, UntrustedText.line(text)));
        return reason.exitCode().failure(text);
    }

    private static String otherVersion(String here, int peers) {
        return "The " + here + " uses version " + ControlMessage.PROTOCOL
                + " of the control protocol, its peer version " + peers + "; use the same lagbench on both hosts.";
    }

    private static String proof(SharedKey key, String role, String receiverNonce, String senderNonce) {
        return HexFormat.of()
                .formatHex(key.mac(
                        SharedKey.ascii("lagbench " + role),
                        SharedKey.ascii(receiverNonce),
                        SharedKey.ascii(senderNonce)));
    }

    private static boolean isEqual(String proof, String expected) {
        return MessageDigest.isEqual(SharedKey.ascii(proof), SharedKey.ascii(expected));
    }
}
