package org.lagbench.packetio.udp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.ProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.KernelSocket;
import org.lagbench.packetio.socket.Reason;
import org.lagbench.packetio.socket.SendBatch;
import org.lagbench.packetio.socket.SocketPacketSender;
import org.lagbench.packetio.transport.StageRecording;
import org.lagbench.packetio.transport.TransportRun;

/** Sends each packet as a datagram from a connected socket, so that a receiver that is gone is noticed. */
final class UdpPacketSender extends SocketPacketSender<DatagramChannel> {
    private final int packetBytes;
    private final boolean offload;

    UdpPacketSender(TransportRun run, UdpCalls calls) {
        super(
                run,
                calls.socket(),
                calls.offload() ? Math.min(calls.batch(), most(run.packetBytes())) : calls.handedOver(),
                calls.batch() > 1);
        this.packetBytes = run.packetBytes();
        this.offload = calls.offload();
    }

    /** How many packets one buffer holds, which is no larger than a datagram. */
    private static int most(int packetBytes) {
        return Math.max(1, UdpTransport.MAXIMUM_PACKET_BYTES / packetBytes);
    }

    @Override
    public void recordStages(StageRecording wanted) throws LagbenchException {
        if (offload) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "observe: stages needs udp.offload: off, as the kernel stamps the packets of a buffer once.");
        }
        super.recordStages(wanted);
    }

    @Override
    protected void prepare(KernelSocket kernelSocket) throws IOException {
        if (offload) {
            kernelSocket.enableSendOffload(packetBytes);
        }
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
    protected void write(DatagramChannel socket, ByteBuffer packet) throws IOException {
        socket.write(packet);
    }

    @Override
    protected int send(KernelSocket kernelSocket, SendBatch packets) throws IOException {
        return kernelSocket.sendDatagrams(packets);
    }

    @Override
    protected String unreachable(String address, String reason) {
        return "No way to the receiver's UDP port " + address + ": " + reason + ". Is there a route to it?";
    }

    @Override
    protected String broken(String address, IOException failure) {
        return failure instanceof PortUnreachableException
                ? "Nobody listens on the receiver's UDP port " + address + " any more: the receiver is gone."
                : "Sending to the UDP port " + address + " failed: " + Reason.of(failure);
    }
}
