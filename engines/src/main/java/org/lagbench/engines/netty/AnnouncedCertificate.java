package org.lagbench.engines.netty;

import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Trusts only the certificate with the fingerprint that the receiver announced on the control connection. */
final class AnnouncedCertificate implements X509TrustManager {
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

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
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
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("senders have no certificate");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
