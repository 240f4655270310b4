package org.lagbench.engines.netty;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Trusts only the certificate with the fingerprint that the receiver announced on the control connection. */
final class AnnouncedCertificate extends X509ExtendedTrustManager {
    private final String announced;
    private volatile @Nullable String refused;

    /** @param announced the fingerprint */
    AnnouncedCertificate(String announced) {
        this.announced = announced;
    }

    /** Returns the fingerprint of the certificate that was refused; null if none was. */
    @Nullable
    String refused() {
        return refused;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        String presented;
        try {
            presented = RunCertificate.fingerprint(chain[0]);
        } catch (GeneralSecurityException e) {
            throw new CertificateException(e);
        }
        if (!presented.equals(announced)) {
            refused = presented;
            throw new CertificateException("the receiver presented a different certificate from the announced one");
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("senders have no certificate");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
