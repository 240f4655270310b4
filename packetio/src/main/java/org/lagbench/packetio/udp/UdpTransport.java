package org.lagbench.packetio.udp;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.LinkCapacity;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Wire;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideConfig;

/** UDP over IPv4 or IPv6: one datagram per packet. */
public final class UdpTransport implements PacketTransport {
    private static final String BUSY_POLL = "busy-poll";
    private static final String OFFLOAD = "offload";
    private static final String FRAGMENT = "fragment";
    private static final String ALLOW = "allow";
    private static final String REFUSE = "refuse";
    private static final String ON = "on";
    private static final String OFF = "off";

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
    public Wire wire() {
        return Wire.UDP;
    }

    @Override
    public @Nullable Double packetsPerS(LinkCapacity link, int packetBytes) {
        return link.udpPacketsPerS(packetBytes);
    }

    @Override
    public List<Parameter<?>> settings() {
        return List.of(
                SocketBuffer.SEND.setting(),
                SocketBuffer.RECEIVE.setting(),
                IoSettings.batchSetting(
                        "The maximum number of packets that one call sends (sendmmsg) or receives (recvmmsg)."),
                Parameter.time(BUSY_POLL, TimeUnit.MICROSECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(10))
                        .asText()
                        .orWord(Parameter.NONE)
                        .described("How long the receiver polls for the next packet (recv with MSG_DONTWAIT)"
                                + " before it sleeps."),
                Parameter.choice(OFFLOAD, List.of(OFF, ON))
                        .byDefault(OFF)
                        .described("UDP segmentation offload (Linux 5.0)."),
                Parameter.choice(FRAGMENT, List.of(ALLOW, REFUSE))
                        .byDefault(ALLOW)
                        .described("Whether packets that do not fit the MTU of the path are sent in IP fragments."),
                Parameter.endpoint(DataPort.VIA)
                        .asText()
                        .orWord(Parameter.NONE)
                        .described(
                                "Where the sender sends instead of to the receiver: a gateway, an encoder or a tunnel"
                                        + " that passes the packets on. One way only."),
                Parameter.number(DataPort.RECEIVE_PORT, 1_024, 65_535)
                        .orWord(Parameter.AUTO)
                        .described("The port at which the receiver receives, for what passes packets on to it;"
                                + " auto selects a free one."));
    }

    @Override
    public Set<String> systemCallSettings() {
        return Set.of(IoSettings.BATCH, BUSY_POLL, OFFLOAD, FRAGMENT);
    }

    @Override
    public int maximumPacketBytes(Settings settings) {
        return IoSettings.MAXIMUM_DATAGRAM_BYTES;
    }

    @Override
    public PacketSender openSender(SideConfig run) throws LagbenchException {
        return UdpPacketSender.open(run, io(run));
    }

    @Override
    public PacketReceiver openReceiver(SideConfig run) throws LagbenchException {
        return UdpPacketReceiver.open(run, io(run));
    }

    private static IoSettings io(SideConfig run) throws LagbenchException {
        boolean offload = run.settings().word(OFFLOAD).equals(ON);
        if (run.recordsTimestamps() && offload) {
            throw ExitCode.USAGE.failure(
                    "observe: timestamping needs udp.offload: off, because the kernel stamps a buffer's packets once.");
        }
        return IoSettings.of(
                run,
                offload,
                run.settings().intervalNs(BUSY_POLL),
                1,
                run.settings().word(FRAGMENT).equals(REFUSE));
    }
}
