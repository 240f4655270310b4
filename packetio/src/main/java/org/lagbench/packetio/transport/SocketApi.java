package org.lagbench.packetio.transport;

/** The interface through which an engine of this process uses sockets. */
public enum SocketApi {
    /** System calls, made through JNI. */
    SYSTEM_CALLS,
    /** The channels of {@code java.nio}. */
    CHANNELS
}
