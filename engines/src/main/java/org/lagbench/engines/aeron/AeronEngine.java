package org.lagbench.engines.aeron;

import java.util.Set;
import org.lagbench.core.model.Transport;
import org.lagbench.engines.message.LibraryEngine;
import org.lagbench.packetio.socket.SocketBuffer;

/**
 * The engine {@code aeron}: streams of Aeron over UDP, which sends lost packets again. A second stream carries the
 * answers.
 */
public final class AeronEngine extends LibraryEngine {
    /** Creates the engine, for the service loader. */
    public AeronEngine() {
        super("aeron", 8, Set.of(SocketBuffer.SEND.settingName(), SocketBuffer.RECEIVE.settingName()), "AeronSides");
    }

    @Override
    protected boolean carries(Transport transport) {
        return transport.usesSockets() && !transport.isConnectionOriented();
    }
}
