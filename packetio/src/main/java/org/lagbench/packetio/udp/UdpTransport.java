package org.lagbench.packetio.udp;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Implementation;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.settings.Settings;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/** UDP over IPv4 or IPv6: a datagram a packet. */
public final class UdpTransport implements PacketTransport {
    /** Its name in experiments. */
    public static final String NAME = "udp";

    /** What is left of an IPv4 datagram of 65,535 bytes after its header of 20 bytes and UDP's of 8. */
    static final int MAXIMUM_PACKET_BYTES = 65_507;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "UDP/IP";
    }

    @Override
    public List<SettingDefinition> settings() {
        List<SettingDefinition> settings = new ArrayList<>();
        settings.add(SocketBuffer.SEND.setting());
        settings.add(SocketBuffer.RECEIVE.setting());
        settings.addAll(UdpCalls.settings());
        return settings;
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
        UdpCalls calls = UdpCalls.of(run.settings());
        calls.socket().check();
        return new UdpPacketSender(run, calls);
    }

    @Override
    public PacketReceiver openReceiver(TransportRun run, Map<String, String> senderAnnounced) throws LagbenchException {
        return UdpPacketReceiver.open(run);
    }
}
