package org.lagbench.packetio.linux;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;

/** Opens the Linux sockets of channels. */
public final class LinuxSockets {
    /** The system property that names the directory of liblagbenchsocket.so. */
    public static final String DIRECTORY_PROPERTY = "lagbench.packetio";

    private static final NativeFiles FILES = new NativeFiles(
            DIRECTORY_PROPERTY, LinuxSockets.class, "mvn -pl packetio -am package", "Calling Linux from Java");

    private static final String NO_DESCRIPTORS = "This JVM hides the file descriptors of sockets; start it with"
            + " --add-exports java.base/sun.nio.ch=ALL-UNNAMED, as lagbench's scripts do.";

    private LinuxSockets() {}

    /** Returns why sockets cannot be opened on this machine or JVM, and what to do; null if they can. */
    public static @Nullable LagbenchException unavailableReason() {
        try {
            load();
        } catch (LagbenchException e) {
            return e;
        }
        boolean isExported = Object.class.getModule().isExported("sun.nio.ch", LinuxSockets.class.getModule());
        return isExported ? null : ExitCode.UNAVAILABLE.failure(NO_DESCRIPTORS);
    }

    /**
     * Opens the socket of an open channel; closing the result leaves the channel open.
     *
     * @throws LagbenchException the {@link #unavailableReason}
     */
    public static LinuxSocket open(NetworkChannel channel) throws LagbenchException, IOException {
        load();
        int fd = duplicate(descriptorOf(channel));
        if (!channel.isOpen()) {
            NativeSocket.close(fd); // the descriptor may belong to another socket that reuses the channel's number
            throw new ClosedChannelException();
        }
        return new LinuxSocket(fd, channel instanceof SocketChannel);
    }

    /**
     * Opens the TCP socket of an open file descriptor; closing the result leaves the file descriptor open.
     *
     * @throws LagbenchException the {@link #unavailableReason}
     */
    public static LinuxSocket openStream(int descriptor) throws LagbenchException, IOException {
        load();
        return new LinuxSocket(duplicate(descriptor), true);
    }

    /**
     * Returns the MTU of the path of an open, connected datagram channel, as the kernel knows it; 0 if this machine or
     * JVM cannot read it.
     */
    public static int pathMtuBytes(NetworkChannel channel) throws IOException {
        try {
            return unavailableReason() == null ? Math.max(0, NativeSocket.pathMtu(descriptorOf(channel))) : 0;
        } catch (LagbenchException e) {
            throw new IllegalStateException("access to sockets became unavailable", e);
        }
    }

    /**
     * Makes the kernel drop what other hosts send to the socket of a channel, before a library can read it.
     *
     * @param channel not bound yet; the connections that it accepts do the same
     * @param hosts numeric addresses, with commas between them
     * @throws LagbenchException the {@link #unavailableReason}
     */
    public static void admit(NetworkChannel channel, String hosts) throws LagbenchException, IOException {
        load();
        admit(descriptorOf(channel), hosts);
    }

    /**
     * The same for an open file descriptor.
     *
     * @throws LagbenchException the {@link #unavailableReason}
     */
    public static void admit(int descriptor, String hosts) throws LagbenchException, IOException {
        load();
        NativeSocket.check("keep other hosts from the port", NativeSocket.admit(descriptor, hosts));
    }

    private static int duplicate(int descriptor) throws IOException {
        int fd = NativeSocket.duplicate(descriptor);
        if (fd < 0) {
            throw new IOException("cannot duplicate the file descriptor: " + NativeSocket.reason(fd));
        }
        return fd;
    }

    /** Loads liblagbenchsocket.so if it is not loaded. */
    static void load() throws LagbenchException {
        FILES.load("liblagbenchsocket.so", "It needs Linux, and must be built on a machine of this architecture.");
    }

    /**
     * Returns the file descriptor of an open channel, by an internal method of the JDK's channels: the only access
     * since Java 1.4.
     */
    static int descriptorOf(NetworkChannel channel) throws LagbenchException {
        try {
            return (int)
                    Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal").invoke(channel);
        } catch (IllegalAccessException e) {
            throw ExitCode.UNAVAILABLE.failure(NO_DESCRIPTORS, e);
        } catch (ClassNotFoundException | NoSuchMethodException | InvocationTargetException e) {
            throw ExitCode.UNAVAILABLE.failure(
                    "This JVM (" + System.getProperty("java.vendor") + " " + Runtime.version()
                            + ") keeps the file descriptors of sockets in an unknown place; use OpenJDK 17 to 25.",
                    e);
        }
    }
}
