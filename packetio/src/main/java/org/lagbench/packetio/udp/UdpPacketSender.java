package org.lagbench.packetio.udp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.DatagramFramer;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.PacketFramer;
import org.lagbench.packetio.socket.PathOpening;
import org.lagbench.packetio.socket.SocketPacketSender;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.SideConfig;

/** Sends each packet as a datagram from a connected socket. */
final class UdpPacketSender extends SocketPacketSender<DatagramChannel> {
    /** The port at which the receiver's first packet arrives; null if the receiver has not requested the run. */
    private final @Nullable PathOpening opening;

    private UdpPacketSender(SideConfig run, IoSettings ioSettings, @Nullable PathOpening opening) {
        super(run, ioSettings, ioSettings.batchSize(run.packetBytes()));
        this.opening = opening;
    }

    /** Opens a sender, and its port if the receiver sends the first packet. */
    static UdpPacketSender open(SideConfig run, IoSettings ioSettings) throws LagbenchException {
        return new UdpPacketSender(run, ioSettings, PathOpening.listen(run));
    }

    @Override
    public Map<String, String> announce() {
        return opening == null ? Map.of() : opening.announce();
    }

    @Override
    protected DatagramChannel open(ProtocolFamily family) throws IOException {
        return opening == null ? DatagramChannel.open(family) : opening.channel();
    }

    @Override
    protected void connect(DatagramChannel socket, InetSocketAddress address) throws IOException {
        socket.connect(opening == null ? address : opening.await(address));
    }

    @Override
    protected void closeOther() {
        if (opening != null) {
            opening.close();
        }
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
