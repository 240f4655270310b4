package org.lagbench.packetio.transport;

/** The calls by which an engine of this process sends and receives over sockets. */
public enum Calls {
    /** The operating system's, by JNI. */
    SYSTEM,
    /** Those of Java's channels. */
    CHANNEL
}
