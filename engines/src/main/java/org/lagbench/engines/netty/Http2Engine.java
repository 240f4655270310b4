package org.lagbench.engines.netty;

import org.lagbench.core.model.Transport;
import org.lagbench.engines.message.LibraryEngine;
import org.lagbench.engines.message.SocketSettings;

/** The engine {@code http2}: POST requests of HTTP/2 (RFC 9113) over TCP without TLS, by Netty. */
public final class Http2Engine extends LibraryEngine {
    /** Creates the engine, for the service loader. */
    public Http2Engine() {
        super("http2", 9, SocketSettings.ALL, "Http2Sides", NettyEngine.NAME);
    }

    @Override
    protected boolean answersTransfers(Transport transport) {
        return true;
    }
}
