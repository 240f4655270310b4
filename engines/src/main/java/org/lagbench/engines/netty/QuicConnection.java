package org.lagbench.engines.netty;

import io.netty.handler.codec.quic.QuicCodecBuilder;

/** What both sides of QUIC share: names, and what they offer each other. */
final class QuicConnection {
    /** The application protocol (ALPN) of both sides. */
    static final String PROTOCOL = "lagbench";

    /** The key of the fingerprint of a receiver's certificate in its announcement. */
    static final String FINGERPRINT = "certificate-sha256";

    /** How many bytes a side may send ahead of the other's reads, in a stream and in a connection. */
    private static final long WINDOW_BYTES = 1 << 20;

    private QuicConnection() {}

    /** Sets what both sides of a connection offer. There is no idle timeout: the control connection has one. */
    static <B extends QuicCodecBuilder<B>> B configured(B codec) {
        return codec.initialMaxData(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalLocal(WINDOW_BYTES)
                .initialMaxStreamDataBidirectionalRemote(WINDOW_BYTES)
                .initialMaxStreamsBidirectional(1);
    }
}
