package org.lagbench.packetio.udp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.SocketPacketSender;
import org.lagbench.packetio.transport.TransportRun;

/** Sends each packet as a datagram from a connected socket, so that a receiver that is gone is noticed. */
final class UdpPacketSender extends SocketPacketSender<DatagramChannel> {
    UdpPacketSender(TransportRun run, IoSettings calls) {
        super(run, calls, calls.batchSize(run.packetBytes()));
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
    protected String unreachable(String address, String reason) {
        return "No way to the receiver's UDP port " + address + ": " + reason + ". Is there a route to it?";
    }

    @Override
    protected String broken(String address, IOException failure) {
        return failure instanceof PortUnreachableException
                ? "Nobody listens on the receiver's UDP port " + address + " any more: the receiver is gone."
                : "Sending to the UDP port " + address + " failed: " + IoErrors.reason(failure);
    }
}
