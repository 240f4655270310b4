package org.lagbench.packetio.socket;

import java.nio.channels.ClosedChannelException;

/** Why a socket call failed, as part of a sentence. */
public final class Reason {
    private Reason() {}

    /** The failure's message, or what its type means if it has none. */
    public static String of(Exception failure) {
        if (failure instanceof ClosedChannelException) {
            return "the socket was closed on this side";
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
