package org.lagbench.control;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;

/** Gives the fuzzer's targets the proofs of a key at the start of a control connection. */
public final class HandshakeInput {
    private static final SharedKey KEY = new SharedKey(new byte[16]);
    private static final int IS_SENDER = 1;
    private static final int HAS_KEY = 2;

    private static final Pattern NONCE = Pattern.compile("\"nonce\":\"([^\"]*)\"");

    private HandshakeInput() {}

    /**
     * Performs the part of one side, which requires a key, with a peer that sends the input. The first byte says which
     * side, and whether the peer has the key: each {@value Peer#PROOF} in its lines is then the proof that is right by
     * the nonces so far.
     *
     * @throws LagbenchException if the peer is refused
     * @throws ProtocolException if it sends something else than the messages of a handshake
     * @throws AssertionError if a peer without the key completes the handshake
     */
    public static void perform(byte[] input) throws IOException, LagbenchException {
        int flags = input.length == 0 ? 0 : input[0];
        boolean isSender = (flags & IS_SENDER) != 0;
        boolean hasKey = (flags & HAS_KEY) != 0;
        Peer peer = new Peer(input, isSender ? "receiver" : "sender", hasKey);
        MessageInput.Received socket = new MessageInput.Received(peer, peer.received);
        try (ControlConnection connection =
                isSender ? ControlConnection.ofSender(socket) : ControlConnection.ofReceiver(socket)) {
            if (isSender) {
                Handshake.introduce(connection, KEY);
            } else {
                Handshake.authenticate(connection, Access.of(KEY, Access.Grant.DEFAULT));
            }
        } catch (RefusedException e) {
            throw e.asFailure();
        } catch (EOFException incomplete) {
            throw new ProtocolException(String.valueOf(incomplete.getMessage()));
        }
        if (!hasKey) {
            throw new AssertionError("a peer without the key completes the handshake");
        }
    }

    /** Returns whole handshakes of each side, with and without the key. */
    public static List<byte[]> seeds() {
        List<ControlMessage> ofReceiver = List.of(
                new ControlMessage.Hello(ControlMessage.PROTOCOL, "00", true),
                new ControlMessage.Welcome(List.of(Peer.PROOF)));
        List<ControlMessage> ofSender = List.of(
                new ControlMessage.Introduction(ControlMessage.PROTOCOL, "00"), new ControlMessage.Proof(Peer.PROOF));
        return List.of(
                seed(IS_SENDER, ofReceiver),
                seed(IS_SENDER | HAS_KEY, ofReceiver),
                seed(0, ofSender),
                seed(HAS_KEY, ofSender));
    }

    private static byte[] seed(int flags, List<ControlMessage> messages) {
        ByteArrayOutputStream seed = new ByteArrayOutputStream();
        seed.write(flags);
        for (ControlMessage message : messages) {
            seed.writeBytes(ControlConnection.FORMAT.write(message));
            seed.write('\n');
        }
        return seed.toByteArray();
    }

    /** What a peer sends: the lines after the first byte of the input, each when the one before was read. */
    private static final class Peer extends InputStream {
        static final String PROOF = "PROOF";

        final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private final byte[] input;
        private final String role;
        private final boolean hasKey;
        private String nonce = "";
        private byte[] line = {};
        private int next = 1;
        private int at;

        Peer(byte[] input, String role, boolean hasKey) {
            this.input = input;
            this.role = role;
            this.hasKey = hasKey;
        }

        @Override
        public int read() {
            if (at == line.length) {
                line = nextLine();
                at = 0;
            }
            return at == line.length ? -1 : line[at++] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            int first = read();
            if (first < 0) {
                return -1;
            }
            into[offset] = (byte) first;
            int more = Math.min(length - 1, line.length - at);
            System.arraycopy(line, at, into, offset + 1, more);
            at += more;
            return 1 + more;
        }

        private byte[] nextLine() {
            int from = next;
            while (next < input.length && input[next] != '\n') {
                next++;
            }
            next = Math.min(next + 1, input.length);
            String text = from < next ? new String(input, from, next - from, StandardCharsets.ISO_8859_1) : "";
            if (hasKey && text.contains(PROOF)) {
                text = text.replace(PROOF, proof());
            }
            nonce = nonce(text, nonce);
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }

        private String proof() {
            String theirs = nonce(received.toString(StandardCharsets.ISO_8859_1), "");
            String receivers = role.equals("receiver") ? nonce : theirs;
            return HexFormat.of()
                    .formatHex(KEY.mac(
                            SharedKey.ascii("lagbench " + role),
                            SharedKey.ascii(receivers),
                            SharedKey.ascii(role.equals("receiver") ? theirs : nonce)));
        }

        private static String nonce(String text, String before) {
            Matcher found = NONCE.matcher(text);
            return found.find() ? found.group(1) : before;
        }
    }
}
