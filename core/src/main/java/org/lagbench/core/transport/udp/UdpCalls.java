package org.lagbench.core.transport.udp;

import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.ip.KernelSocket;
import org.lagbench.core.transport.ip.KernelSockets;
import org.lagbench.core.transport.ip.ReceivedDatagrams;

/**
 * By what calls packets are handed to the kernel and taken from it.
 *
 * @param batch how many packets a call moves at the most
 * @param busyPollNs how long a receiver looks for a packet without sleeping, in ns; 0 if it sleeps at once
 * @param areNative whether the calls are those of the operating system, in place of {@link DatagramChannel}'s
 */
record UdpCalls(int batch, long busyPollNs, boolean areNative) {
    private static final String BATCH = "batch";
    private static final String BUSY_POLL = "busy-poll";
    private static final String CALLS = "calls";
    private static final String CHANNEL = "channel";
    private static final String NATIVE = "native";

    /** The settings by which a user chooses. */
    static List<SettingDefinition> settings() {
        return List.of(
                SettingDefinition.integer(
                        BATCH,
                        1,
                        1,
                        ReceivedDatagrams.MOST,
                        "Most packets that one call sends (sendmmsg) or receives (recvmmsg), each with the stamps of that"
                                + " call. Sent together are those of a flood, and those of a burst, which are due at the"
                                + " same instant; a packet never waits for one that is due later."),
                SettingDefinition.timeOrNone(
                        BUSY_POLL,
                        TimeUnit.MICROSECONDS.toNanos(1),
                        TimeUnit.SECONDS.toNanos(10),
                        "How long after a packet the receiver looks for the next without sleeping (MSG_DONTWAIT), which"
                                + " takes a core, before it sleeps until it comes."),
                SettingDefinition.choice(
                        CALLS,
                        CHANNEL,
                        List.of(CHANNEL, NATIVE),
                        "What the Java programs send and receive by: a DatagramChannel, as Java programs do, or the"
                                + " operating system's calls."));
    }

    static UdpCalls of(Settings settings) {
        int batch = Math.toIntExact(settings.number(BATCH));
        long busyPollNs = settings.intervalNs(BUSY_POLL);
        return new UdpCalls(
                batch,
                busyPollNs,
                batch > 1 || busyPollNs > 0 || settings.word(CALLS).equals(NATIVE));
    }

    /**
     * Makes sure that native calls are to be had, if it takes them.
     *
     * @throws LagbenchException if not: what to do about it
     */
    void check() throws LagbenchException {
        if (areNative) {
            KernelSockets.provider(cause());
        }
    }

    /**
     * Opens a socket for native calls.
     *
     * @throws LagbenchException if they are not to be had
     */
    KernelSocket open(DatagramChannel socket) throws LagbenchException, IOException {
        return KernelSockets.open(socket, cause());
    }

    private String cause() {
        return "udp." + (batch > 1 ? BATCH : busyPollNs > 0 ? BUSY_POLL : CALLS + ": " + NATIVE);
    }
}
