package org.lagbench.engines;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The first datagram of a QUIC client, sealed as RFC 9001 says, whose ClientHello of TLS has nothing but 255. */
final class DamagedHandshake {
    /** The salt of QUIC version 1 (RFC 9001, section 5.2). */
    private static final byte[] SALT = HexFormat.of().parseHex("38762cf7f55934b34d179ae6a4c80cadccbb7f0a");

    private static final byte[] CONNECTION_ID = {1, 2, 3, 4, 5, 6, 7, 8};
    private static final int DATAGRAM_BYTES = 1_200;
    private static final int NUMBER_BYTES = 4;
    private static final int TAG_BYTES = 16;

    private DamagedHandshake() {}

    static byte[] datagram() throws GeneralSecurityException {
        byte[] secret = expand(hmac(SALT, CONNECTION_ID), "client in", 32);
        byte[] header = header();
        byte[] payload = new byte[DATAGRAM_BYTES - header.length - TAG_BYTES];
        ByteBuffer.wrap(payload)
                .put(new byte[] {6, 0, 36}) // a frame CRYPTO with 36 bytes; the rest is padding
                .put(new byte[] {1, 0, 0, 32}) // a ClientHello of 32 bytes
                .put(filled(32));
        Cipher seal = Cipher.getInstance("AES/GCM/NoPadding");
        seal.init(
                Cipher.ENCRYPT_MODE,
                new SecretKeySpec(expand(secret, "quic key", 16), "AES"),
                new GCMParameterSpec(8 * TAG_BYTES, expand(secret, "quic iv", 12))); // packet number 0
        seal.updateAAD(header);
        byte[] sealed = seal.doFinal(payload);

        Cipher protection = Cipher.getInstance("AES/ECB/NoPadding");
        protection.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(expand(secret, "quic hp", 16), "AES"));
        byte[] mask = protection.doFinal(sealed, 0, 16); // its sample begins 4 bytes after the packet number
        header[0] ^= (byte) (mask[0] & 0x0f);
        for (int i = 0; i < NUMBER_BYTES; i++) {
            header[header.length - NUMBER_BYTES + i] ^= mask[1 + i];
        }
        return ByteBuffer.allocate(DATAGRAM_BYTES).put(header).put(sealed).array();
    }

    /** Returns the header of an Initial packet with number 0, without a token. */
    private static byte[] header() {
        ByteBuffer header = ByteBuffer.allocate(64).put((byte) 0xc3).putInt(1);
        header.put((byte) CONNECTION_ID.length).put(CONNECTION_ID);
        header.put((byte) CONNECTION_ID.length).put(CONNECTION_ID).put((byte) 0);
        int rest = DATAGRAM_BYTES - header.position() - Short.BYTES;
        header.putShort((short) (0x4000 | rest)).putInt(0);
        return Arrays.copyOf(header.array(), header.position());
    }

    private static byte[] filled(int bytes) {
        byte[] filled = new byte[bytes];
        Arrays.fill(filled, (byte) 0xff);
        return filled;
    }

    /** HKDF-Expand-Label of TLS 1.3 for at most 32 bytes. */
    private static byte[] expand(byte[] secret, String label, int bytes) throws GeneralSecurityException {
        byte[] name = ("tls13 " + label).getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream info = new ByteArrayOutputStream();
        info.write(0);
        info.write(bytes);
        info.write(name.length);
        info.writeBytes(name);
        info.write(0);
        info.write(1);
        return Arrays.copyOf(hmac(secret, info.toByteArray()), bytes);
    }

    private static byte[] hmac(byte[] key, byte[] text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text);
    }
}
