package org.lagbench.packetio.udp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.packetio.socket.DatagramFramer;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.PacketFramer;
import org.lagbench.packetio.socket.SocketPacketSender;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.SideConfig;

/** Sends each packet as a datagram from a connected socket. */
final class UdpPacketSender extends SocketPacketSender<DatagramChannel> {
    UdpPacketSender(SideConfig run, IoSettings ioSettings) {
        super(run, ioSettings, ioSettings.batchSize(run.packetBytes()));
    }

    @Override
    protected DatagramChannel open(ProtocolFamily family) throws IOException {
        return DatagramChannel.open(family);
    }

    @Override
    protected void connect(DatagramChannel socket, InetSocketAddress address) throws IOException {
        socket.connect(address);
    }

    @Override
    protected long stampKey(long packetsBefore) {
        return packetsBefore;
    }

    @Override
    protected PacketFramer replyFramer() {
        return new DatagramFramer(
                ioSettings.datagrams(run.packetBytes(), false, 0),
                run.packetBytes(),
                Arrival.ofReplies(run.packetBytes()));
    }

    @Override
    protected String connectFailure(String address, String reason) {
        return "Cannot reach the receiver's UDP port " + address + ": " + reason + ". Is there a route to it?";
    }

    @Override
    protected String sendFailure(String address, IOException failure) {
        return "Sending to the UDP port " + address + " failed: " + IoErrors.reason(failure);
    }
}
