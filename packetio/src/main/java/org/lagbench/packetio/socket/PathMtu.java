package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import org.lagbench.packetio.linux.LinuxSockets;

/** The MTU of the path of a connected datagram socket, as the kernel knows it, in the metadata of a sender. */
public final class PathMtu {
    private static final String BYTES = "pathMtuBytes";

    private PathMtu() {}

    /** Adds the MTU of an open channel's path, if this machine and JVM can read it. */
    public static void putMetadata(NetworkChannel channel, Map<String, Object> into) throws IOException {
        put(LinuxSockets.pathMtuBytes(channel), into);
    }

    /** Adds the MTU of the path of an open file descriptor's socket, if this machine can read it. */
    public static void putMetadata(int descriptor, Map<String, Object> into) {
        put(LinuxSockets.pathMtuBytes(descriptor), into);
    }

    private static void put(int bytes, Map<String, Object> into) {
        if (bytes > 0) {
            into.put(BYTES, bytes);
        }
    }
}
