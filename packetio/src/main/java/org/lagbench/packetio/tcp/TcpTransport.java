package org.lagbench.packetio.tcp;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Implementation;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.settings.Settings;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketCalls;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/** TCP over IPv4 or IPv6: one connection a run, opened by the sender. */
public final class TcpTransport implements PacketTransport {
    /** Its name in experiments. */
    public static final String NAME = "tcp";

    static final String NO_DELAY = "no-delay";
    static final String CONGESTION_CONTROL = "congestion-control";

    /** Far more than a frame of uncompressed video; the packet is held whole on both sides. */
    private static final int MAXIMUM_PACKET_BYTES = 1 << 24;

    @Override
    public String name() {
        return NAME;
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
                SocketBuffer.SEND.setting(),
                SocketBuffer.RECEIVE.setting(),
                SettingDefinition.nameOrAuto(
                        CONGESTION_CONTROL,
                        "The sender's congestion control (TCP_CONGESTION): reno, cubic, bbr or another that its kernel"
                                + " has; auto leaves it to the kernel."),
                SocketCalls.setting());
    }

    @Override
    public Set<Implementation> implementations() {
        return Set.of(Implementation.values());
    }

    @Override
    public int maximumPacketBytes(Settings settings) {
        return MAXIMUM_PACKET_BYTES;
    }

    @Override
    public PacketSender openSender(TransportRun run) throws LagbenchException {
        return new TcpPacketSender(run, calls(run));
    }

    @Override
    public PacketReceiver openReceiver(TransportRun run, Map<String, String> senderAnnounced) throws LagbenchException {
        return TcpPacketReceiver.open(run, calls(run));
    }

    private static SocketCalls calls(TransportRun run) throws LagbenchException {
        SocketCalls calls = SocketCalls.of(NAME, run.settings());
        calls.check();
        return calls;
    }
}
