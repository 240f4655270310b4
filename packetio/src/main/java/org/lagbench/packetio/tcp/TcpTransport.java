package org.lagbench.packetio.tcp;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.LinkCapacity;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.settings.Settings;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/** TCP over IPv4 or IPv6: one connection per run, opened by the sender. */
public final class TcpTransport implements PacketTransport {
    static final String NO_DELAY = "no-delay";
    static final String CONGESTION_CONTROL = "congestion-control";

    /** Far more than a frame of uncompressed video; both sides keep whole packets in memory. */
    private static final int MAXIMUM_PACKET_BYTES = 1 << 24;

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public String title() {
        return "TCP/IP";
    }

    @Override
    public List<SettingDefinition> settings() {
        return List.of(
                SettingDefinition.flag(
                        NO_DELAY,
                        true,
                        "Whether each packet is sent at once (TCP_NODELAY) instead of waiting for the"
                                + " acknowledgment of the one before (Nagle's algorithm, RFC 9293 section 3.7.4)."),
                IoSettings.batchSetting("Maximum number of packets that one call sends; they share its stamps."),
                SocketBuffer.SEND.setting(),
                SocketBuffer.RECEIVE.setting(),
                SettingDefinition.nameOrAuto(
                        CONGESTION_CONTROL,
                        "The sender's congestion control (TCP_CONGESTION): reno, cubic, bbr or another that its kernel"
                                + " has; auto leaves it to the kernel."));
    }

    @Override
    public int tableOrder() {
        return 0;
    }

    @Override
    public boolean usesSockets() {
        return true;
    }

    @Override
    public boolean isConnectionOriented() {
        return true;
    }

    /** A key is the stream offset of a write's last byte. */
    @Override
    public long stampKeysPerPacket(int packetBytes) {
        return packetBytes;
    }

    @Override
    public @Nullable Double packetsPerS(LinkCapacity link, int packetBytes) {
        return link.tcpPacketsPerS(packetBytes);
    }

    @Override
    public Set<String> systemCallSettings() {
        return Set.of(IoSettings.BATCH);
    }

    @Override
    public int maximumPacketBytes(Settings settings) {
        return MAXIMUM_PACKET_BYTES;
    }

    @Override
    public PacketSender openSender(TransportRun run) throws LagbenchException {
        return new TcpPacketSender(run, io(run));
    }

    @Override
    public PacketReceiver openReceiver(TransportRun run, Map<String, String> senderAnnounced) throws LagbenchException {
        return TcpPacketReceiver.open(run, io(run));
    }

    private static IoSettings io(TransportRun run) {
        return IoSettings.of(run, false, 0);
    }
}
