package org.lagbench.core.key;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.PrivateFile;

/**
 * A secret that sender and receiver share: at least 128 random bits in hexadecimal or base64, from a file that only its
 * owner may access, or from the environment variable {@value #VARIABLE}. Leading and trailing white space is ignored.
 * Proofs are HMAC-SHA-256 (RFC 2104): who has a proof can try keys offline, so phrases are refused. Immutable.
 */
public final class SharedKey {
    /** The environment variable with the key if no file is named. Other users cannot read it, unlike an argument. */
    public static final String VARIABLE = "LAGBENCH_KEY";

    private static final int MAXIMUM_BYTES = 4096;

    /** 128 bits. Random base64 of this length has letters of both cases, a phrase often does not. */
    private static final Pattern STRONG =
            Pattern.compile("\\p{XDigit}{32,}|(?=.*[a-z])(?=.*[A-Z])(?!\\p{XDigit}*$)[\\w+/-]{22,}={0,2}");

    /** Random text of 128 bits has more with a probability of 1 − 10⁻⁷. */
    private static final int MINIMUM_DIFFERENT_CHARACTERS = 8;

    private static final int NEW_KEY_BYTES = 16;
    private static final String WEAK = "is not 128 random bits, in 32 hexadecimal or 22 base64 characters";
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The length of SHA-256's blocks. */
    private static final int BLOCK_BYTES = 64;

    private static final byte INNER_PAD = 0x36;
    private static final byte OUTER_PAD = 0x5c;

    private final byte[] secret;

    public SharedKey(byte[] secret) {
        this.secret = secret.clone();
    }

    @JsonCreator
    private static SharedKey ofText(String text) {
        return new SharedKey(ascii(text));
    }

    /** Returns the text of a key that was read or typed, for a message that nobody else can read. */
    @JsonValue
    private String text() {
        return new String(secret, StandardCharsets.US_ASCII);
    }

    /** Returns a new random key of 128 bits. */
    public static SharedKey random() {
        return ofText(newText());
    }

    /** Returns the text of a new random key of 128 bits, in hexadecimal. */
    public static String newText() {
        return newText(NEW_KEY_BYTES);
    }

    /** Returns random bytes in hexadecimal. */
    public static String newText(int bytes) {
        byte[] secret = new byte[bytes];
        RANDOM.nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    /**
     * Returns the key of a file, or else of the environment variable {@value #VARIABLE}.
     *
     * @param file null if none is named
     * @return null if there is neither
     */
    public static @Nullable SharedKey find(@Nullable Path file) throws LagbenchException {
        if (file != null) {
            return read(file);
        }
        String text = System.getenv(VARIABLE);
        return text == null ? null : parse(VARIABLE, text);
    }

    /**
     * Returns the key of a text.
     *
     * @param source where the text is from, for messages
     * @throws LagbenchException if it is too short
     */
    public static SharedKey parse(String source, String text) throws LagbenchException {
        String stripped = text.strip();
        if (!isStrong(stripped)) {
            throw ExitCode.KEY.failure(
                    source + ": the key " + WEAK + "; lagbench serve --new-key makes and prints one.");
        }
        return new SharedKey(ascii(stripped));
    }

    private static boolean isStrong(String text) {
        return STRONG.matcher(text).matches() && text.chars().distinct().count() >= MINIMUM_DIFFERENT_CHARACTERS;
    }

    /** Reads a key from a file. */
    public static SharedKey read(Path file) throws LagbenchException {
        try {
            String text = new String(PrivateFile.read(file, MAXIMUM_BYTES), StandardCharsets.ISO_8859_1).strip();
            if (!isStrong(text)) {
                throw ExitCode.KEY.failure("The key in " + file + " " + WEAK
                        + "; create one with: (umask 077 && head -c 24 /dev/urandom | base64 > " + file + ")");
            }
            return new SharedKey(ascii(text));
        } catch (PrivateFile.RefusedException e) {
            throw ExitCode.KEY.failure("The key file " + file + " " + e.getMessage() + ".", e);
        } catch (IOException e) {
            throw ExitCode.KEY.failure("The key file " + file + " cannot be read: " + IoErrors.reason(e) + ".", e);
        }
    }

    /** Returns the HMAC of the parts, each preceded by its length. */
    public byte[] mac(byte[]... parts) {
        MessageDigest inner = digestOfKey(INNER_PAD);
        for (byte[] part : parts) {
            inner.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
            inner.update(part);
        }
        return digestOfKey(OUTER_PAD).digest(inner.digest());
    }

    /**
     * Returns a digest that has begun with a block of the key, see RFC 2104. A search for {@link javax.crypto.Mac}
     * loads five providers with their elliptic curves, which takes longer than the handshake.
     */
    private MessageDigest digestOfKey(byte pad) {
        MessageDigest digest = sha256();
        byte[] block = Arrays.copyOf(secret.length > BLOCK_BYTES ? sha256().digest(secret) : secret, BLOCK_BYTES);
        for (int i = 0; i < block.length; i++) {
            block[i] ^= pad;
        }
        digest.update(block);
        return digest;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** Returns the key of one session, from this key and both sides' nonces. */
    public SharedKey derive(String receiverNonce, String senderNonce) {
        return new SharedKey(mac(ascii("conversation"), ascii(receiverNonce), ascii(senderNonce)));
    }

    /** Returns the bytes of a text in ASCII, as which nonces and proofs are hashed. */
    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SharedKey that && MessageDigest.isEqual(secret, that.secret);
    }

    @Override
    public int hashCode() {
        return 0; // a constant, because a hash of the secret would reveal a part of the secret
    }
}
