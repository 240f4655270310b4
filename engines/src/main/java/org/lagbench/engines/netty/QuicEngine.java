package org.lagbench.engines.netty;

import java.util.Set;
import org.lagbench.core.model.Transport;
import org.lagbench.engines.message.LibraryEngine;
import org.lagbench.packetio.socket.SocketBuffer;

/** The engine {@code quic}: a stream of QUIC (RFC 9000) over UDP, with TLS 1.3 and a certificate made for the run. */
public final class QuicEngine extends LibraryEngine {
    /** Creates the engine, for the service loader. */
    public QuicEngine() {
        super(
                "quic",
                10,
                Set.of(SocketBuffer.SEND.settingName(), SocketBuffer.RECEIVE.settingName()),
                "QuicSides",
                NettyEngine.NAME);
    }

    @Override
    protected boolean carries(Transport transport) {
        return transport.usesSockets() && !transport.isConnectionOriented();
    }

    @Override
    protected boolean answersTransfers(Transport transport) {
        return true;
    }
}
