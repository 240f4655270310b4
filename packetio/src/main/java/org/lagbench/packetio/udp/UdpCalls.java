package org.lagbench.packetio.udp;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.settings.Settings;
import org.lagbench.packetio.socket.ReceiveBatch;
import org.lagbench.packetio.socket.SocketCalls;

/**
 * By what calls packets are handed to the kernel and taken from it.
 *
 * @param batch how many packets a call moves at the most
 * @param busyPollNs how long a receiver looks for a packet without sleeping, in ns; 0 if it sleeps at once
 * @param socket whose calls they are: the operating system's if a channel has none that do so
 */
record UdpCalls(int batch, long busyPollNs, SocketCalls socket) {
    private static final String BATCH = "batch";
    private static final String BUSY_POLL = "busy-poll";

    /** The settings by which a user chooses. */
    static List<SettingDefinition> settings() {
        return List.of(
                SettingDefinition.integer(
                        BATCH,
                        1,
                        1,
                        ReceiveBatch.MOST,
                        "Most packets that one call sends (sendmmsg) or receives (recvmmsg), each with the stamps of"
                                + " that call. Sent together are those of a flood, and those of a burst, which are due"
                                + " at the same instant; a packet never waits for one that is due later."),
                SettingDefinition.timeOrNone(
                        BUSY_POLL,
                        TimeUnit.MICROSECONDS.toNanos(1),
                        TimeUnit.SECONDS.toNanos(10),
                        "How long after a packet the receiver looks for the next without sleeping (MSG_DONTWAIT), which"
                                + " takes a core, before it sleeps until it comes."),
                SocketCalls.setting());
    }

    static UdpCalls of(Settings settings) {
        int batch = Math.toIntExact(settings.number(BATCH));
        long busyPollNs = settings.intervalNs(BUSY_POLL);
        return new UdpCalls(batch, busyPollNs, socketCalls(batch, busyPollNs, settings));
    }

    /** How many packets are handed over to the calls at once, where so many are due: those of one, or of several. */
    int handedOver() {
        return batch > 1 ? batch : socket.handedOver();
    }

    private static SocketCalls socketCalls(int batch, long busyPollNs, Settings settings) {
        if (batch > 1 || busyPollNs > 0) {
            return new SocketCalls(UdpTransport.NAME + "." + (batch > 1 ? BATCH : BUSY_POLL));
        }
        return SocketCalls.of(UdpTransport.NAME, settings);
    }
}
