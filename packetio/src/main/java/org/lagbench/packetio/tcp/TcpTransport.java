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
import org.lagbench.packetio.socket.ReceiveBatch;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/** TCP over IPv4 or IPv6: one connection a run, opened by the sender. */
public final class TcpTransport implements PacketTransport {
    private static final String BATCH = "batch";
    static final String NO_DELAY = "no-delay";
    static final String CONGESTION_CONTROL = "congestion-control";

    /** Far more than a frame of uncompressed video; the packet is held whole on both sides. */
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
                                + " acknowledgement of the one before (Nagle's algorithm, RFC 9293 section 3.7.4)."),
                SettingDefinition.integer(
                        BATCH,
                        1,
                        1,
                        ReceiveBatch.MOST,
                        "Most packets that one call sends, with the stamps of that call. Sent together are those of a"
                                + " flood, and those of a burst, which are due at the same instant; a packet never"
                                + " waits for one that is due later."),
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

    /** A key is the offset of a write's last byte in the stream. */
    @Override
    public long stampKeysPerPacket(int packetBytes) {
        return packetBytes;
    }

    @Override
    public @Nullable Double packetsPerS(LinkCapacity link, int packetBytes) {
        return link.tcpPacketsPerS(packetBytes);
    }

    @Override
    public Set<String> settingsOfSystemCalls() {
        return Set.of(BATCH);
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
        return new IoSettings(run.calls(), Math.toIntExact(run.settings().number(BATCH)), false, 0);
    }
}
