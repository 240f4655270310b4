package org.lagbench.engines.message;

import java.util.Set;
import org.lagbench.packetio.socket.SocketBuffer;

/** Names of settings of transports over sockets. */
public final class SocketSettings {
    /** Whether a TCP connection sends small segments at once (TCP_NODELAY). */
    public static final String NO_DELAY = "no-delay";

    /** The settings that any interface to sockets supports. */
    public static final Set<String> ALL =
            Set.of(NO_DELAY, SocketBuffer.SEND.settingName(), SocketBuffer.RECEIVE.settingName());

    private SocketSettings() {}
}
