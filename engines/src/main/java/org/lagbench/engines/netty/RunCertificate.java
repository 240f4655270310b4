package org.lagbench.engines.netty;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A self-signed certificate (RFC 5280) made for one run, with its key on the curve P-256.
 *
 * @param key the private key
 * @param certificate the certificate
 * @param fingerprint its {@link #fingerprint(X509Certificate)}
 */
record RunCertificate(PrivateKey key, X509Certificate certificate, String fingerprint) {
    /** The key of the fingerprint in a receiver's announcement. */
    static final String FINGERPRINT = "certificate-sha256";

    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int EXPLICIT_0 = 0xa0;

    private static final byte[] ECDSA_WITH_SHA256 = HexFormat.of().parseHex("2a8648ce3d040302");
    private static final byte[] COMMON_NAME = HexFormat.of().parseHex("550403");
    private static final BigInteger VERSION_3 = BigInteger.TWO;
    private static final int SERIAL_BITS = 120;

    /** The same dates in every certificate: the sender trusts the certificate whatever its dates. */
    private static final Instant NOT_BEFORE = Instant.parse("2020-01-01T00:00:00Z");

    private static final Instant NOT_AFTER = Instant.parse("9999-12-31T23:59:59Z");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    /** Makes a certificate with a new key. */
    static RunCertificate create() {
        try {
            return make();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has P-256 and SHA-256", e);
        }
    }

    private static RunCertificate make() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        byte[] algorithm = der(SEQUENCE, der(OBJECT_IDENTIFIER, ECDSA_WITH_SHA256));
        byte[] commonName = der(UTF8_STRING, "lagbench".getBytes(StandardCharsets.UTF_8));
        byte[] name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_IDENTIFIER, COMMON_NAME), commonName)));
        byte[] signed = der(
                SEQUENCE,
                der(EXPLICIT_0, der(INTEGER, VERSION_3.toByteArray())),
                der(INTEGER, new BigInteger(SERIAL_BITS, new SecureRandom()).toByteArray()),
                algorithm,
                name,
                der(SEQUENCE, time(NOT_BEFORE), time(NOT_AFTER)),
                name,
                keys.getPublic().getEncoded());
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(signed);
        byte[] encoded = der(SEQUENCE, signed, algorithm, der(BIT_STRING, new byte[1], signature.sign()));
        X509Certificate certificate = (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
        return new RunCertificate(keys.getPrivate(), certificate, fingerprint(certificate));
    }

    private static byte[] time(Instant instant) {
        return der(GENERALIZED_TIME, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns an element of the Distinguished Encoding Rules (X.690) whose contents have less than 64 KiB. */
    private static byte[] der(int type, byte[]... contents) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] content : contents) {
            joined.writeBytes(content);
        }
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(type);
        int length = joined.size();
        if (length >= 1 << Byte.SIZE) {
            element.write(0x82);
            element.write(length >> Byte.SIZE);
        } else if (length >= 1 << (Byte.SIZE - 1)) {
            element.write(0x81);
        }
        element.write(length);
        element.writeBytes(joined.toByteArray());
        return element.toByteArray();
    }

    /** Returns the SHA-256 fingerprint of a certificate in lower case hexadecimal digits. */
    static String fingerprint(X509Certificate of) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(of.getEncoded()));
    }

    /** Trusts only the certificate with the fingerprint that the receiver announced on the control connection. */
    static final class Announced implements X509TrustManager {
        private final String announced;
        private volatile @Nullable String refused;

        /** @param announced the fingerprint */
        Announced(String announced) {
            this.announced = announced;
        }

        /** Returns the fingerprint of the certificate that was refused; null if none was. */
        @Nullable
        String refused() {
            return refused;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            String presented;
            try {
                presented = fingerprint(chain[0]);
            } catch (GeneralSecurityException e) {
                throw new CertificateException(e);
            }
            if (!presented.equals(announced)) {
                refused = presented;
                throw new CertificateException("the receiver presented a different certificate from the announced one");
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            throw new CertificateException("senders have no certificate");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
