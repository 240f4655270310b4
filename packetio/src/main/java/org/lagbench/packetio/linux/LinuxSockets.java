package org.lagbench.packetio.linux;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.jni.NativeFiles;

/** Opens sockets for what Linux tells of them. */
public final class LinuxSockets {
    /** Names the directory of liblagbenchsocket.so. */
    public static final String DIRECTORY_PROPERTY = "lagbench.packetio";

    private static final NativeFiles FILES =
            new NativeFiles(DIRECTORY_PROPERTY, LinuxSockets.class, "packetio", "Calling Linux from Java");

    private static final String NO_DESCRIPTORS = "This JVM does not tell the descriptors of sockets; start it with"
            + " --add-exports java.base/sun.nio.ch=ALL-UNNAMED, as lagbench's scripts do.";

    private LinuxSockets() {}

    /** Returns what this machine or JVM lacks, and what to do about it; null if sockets can be opened. */
    public static @Nullable LagbenchException unavailableReason() {
        try {
            load();
        } catch (LagbenchException e) {
            return e;
        }
        boolean tells = Object.class.getModule().isExported("sun.nio.ch", LinuxSockets.class.getModule());
        return tells ? null : new LagbenchException(ExitCode.UNAVAILABLE, NO_DESCRIPTORS);
    }

    /**
     * Opens a socket of Java's; its channel must be open, and remains so whatever becomes of the result.
     *
     * @throws LagbenchException the {@link #unavailableReason}
     */
    public static LinuxSocket open(NetworkChannel channel) throws LagbenchException, IOException {
        load();
        int descriptor = Socket.duplicate(descriptorOf(channel));
        if (descriptor < 0) {
            throw new IOException("cannot open a second descriptor: " + Socket.reason(descriptor));
        }
        if (!channel.isOpen()) {
            Socket.close(descriptor); // of whatever socket had got the channel's number
            throw new ClosedChannelException();
        }
        return new LinuxSocket(descriptor, channel instanceof SocketChannel);
    }

    /** Loads liblagbenchsocket.so unless it is loaded. */
    static void load() throws LagbenchException {
        FILES.load("liblagbenchsocket.so", "It is for Linux, and must be built on a machine of this kind.");
    }

    /** The JDK keeps the number to itself, but for this method of its channels, since Java 1.4. */
    private static int descriptorOf(NetworkChannel channel) throws LagbenchException {
        try {
            return (int)
                    Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal").invoke(channel);
        } catch (IllegalAccessException e) {
            throw new LagbenchException(ExitCode.UNAVAILABLE, NO_DESCRIPTORS, e);
        } catch (ClassNotFoundException | NoSuchMethodException | InvocationTargetException e) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "This JVM (" + System.getProperty("java.vendor") + " " + Runtime.version()
                            + ") keeps descriptors of sockets in a place unknown to lagbench; use OpenJDK 17 to 25.",
                    e);
        }
    }
}
