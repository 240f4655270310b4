package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.Channel;
import org.jspecify.annotations.Nullable;

/** Closes sockets. */
public final class Sockets {
    private Sockets() {}

    /** Closes a socket, if there is one, that nobody wants to hear of again. */
    public static void close(@Nullable Channel socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            return; // the kernel has taken the descriptor back all the same, see close(2)
        }
    }
}
