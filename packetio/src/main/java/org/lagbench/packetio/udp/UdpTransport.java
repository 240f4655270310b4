package org.lagbench.packetio.udp;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.LinkCapacity;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.settings.Settings;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.ReceiveBatch;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/** UDP over IPv4 or IPv6: a datagram a packet. */
public final class UdpTransport implements PacketTransport {
    private static final String BATCH = "batch";
    private static final String BUSY_POLL = "busy-poll";
    private static final String OFFLOAD = "offload";
    private static final String ON = "on";
    private static final String OFF = "off";

    /** What is left of an IPv4 datagram of 65,535 bytes after its header of 20 bytes and UDP's of 8. */
    static final int MAXIMUM_PACKET_BYTES = 65_507;

    @Override
    public String name() {
        return "udp";
    }

    @Override
    public String title() {
        return "UDP/IP";
    }

    @Override
    public int tableOrder() {
        return 1;
    }

    @Override
    public boolean usesSockets() {
        return true;
    }

    @Override
    public @Nullable Double packetsPerS(LinkCapacity link, int packetBytes) {
        return link.udpPacketsPerS(packetBytes);
    }

    @Override
    public List<SettingDefinition> settings() {
        return List.of(
                SocketBuffer.SEND.setting(),
                SocketBuffer.RECEIVE.setting(),
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
                SettingDefinition.choice(
                        OFFLOAD,
                        OFF,
                        List.of(OFF, ON),
                        "UDP segmentation offload: on sends the packets of a batch as one buffer, which the kernel or"
                                + " the network card cuts into datagrams (UDP_SEGMENT), and receives datagrams that"
                                + " were joined (UDP_GRO). A packet must fit the MTU of the path."));
    }

    @Override
    public Set<String> settingsOfSystemCalls() {
        return Set.of(BATCH, BUSY_POLL, OFFLOAD);
    }

    @Override
    public int maximumPacketBytes(Settings settings) {
        return MAXIMUM_PACKET_BYTES;
    }

    @Override
    public PacketSender openSender(TransportRun run) throws LagbenchException {
        return new UdpPacketSender(run, io(run));
    }

    @Override
    public PacketReceiver openReceiver(TransportRun run, Map<String, String> senderAnnounced) throws LagbenchException {
        return UdpPacketReceiver.open(run, io(run));
    }

    private static IoSettings io(TransportRun run) throws LagbenchException {
        Settings settings = run.settings();
        if (run.stages() != null && settings.word(OFFLOAD).equals(ON)) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "observe: stages needs udp.offload: off, as the kernel stamps the packets of a buffer once.");
        }
        return new IoSettings(
                run.calls(),
                Math.toIntExact(settings.number(BATCH)),
                settings.word(OFFLOAD).equals(ON),
                settings.intervalNs(BUSY_POLL));
    }
}
