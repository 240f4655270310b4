package org.lagbench.packetio.udp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.DatagramFramer;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.PacketFramer;
import org.lagbench.packetio.socket.SocketPacketSender;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.SideConfig;

/** Sends each packet as a datagram from a connected socket. */
final class UdpPacketSender extends SocketPacketSender<DatagramChannel> {
    /** The socket at whose port the receiver's first packet arrives; null if the receiver has not requested the run. */
    private final @Nullable DatagramChannel listening;

    private UdpPacketSender(SideConfig run, IoSettings ioSettings, @Nullable DatagramChannel listening) {
        super(run, ioSettings, ioSettings.batchSize(run.packetBytes()));
        this.listening = listening;
    }

    /** Opens a sender, and its port if the receiver sends the first packet. */
    static UdpPacketSender open(SideConfig run, IoSettings ioSettings) throws LagbenchException {
        String host = run.listensAt();
        try {
            return new UdpPacketSender(run, ioSettings, host == null ? null : PathOpening.listen(host));
        } catch (IOException | UnsupportedOperationException e) {
            throw ExitCode.UNAVAILABLE.failure(
                    "Cannot open a UDP port on " + host + ": " + IoErrors.reason(e) + ".", e);
        }
    }

    @Override
    public Map<String, String> announce() {
        try {
            return listening == null ? Map.of() : DataPort.announce(DataPort.boundTo(listening));
        } catch (IOException e) {
            return Map.of(); // closed meanwhile: the receiver's announced port is used
        }
    }

    @Override
    protected DatagramChannel open(ProtocolFamily family) throws IOException {
        return listening == null ? DatagramChannel.open(family) : listening;
    }

    @Override
    protected void connect(DatagramChannel socket, InetSocketAddress address) throws IOException {
        socket.connect(listening == null ? address : PathOpening.await(socket, address, run.tag()));
    }

    @Override
    protected void closeOther() {
        Sockets.close(listening);
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
