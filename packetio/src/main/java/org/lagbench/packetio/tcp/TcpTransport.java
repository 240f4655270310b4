package org.lagbench.packetio.tcp;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.LinkCapacity;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Wire;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketStreamFramer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;
import org.lagbench.packetio.transport.TransferSender;

/** TCP over IPv4 or IPv6: one connection per run, opened by the sender unless it was requested to wait. */
public final class TcpTransport implements PacketTransport {
    static final String NO_DELAY = "no-delay";
    static final String CONGESTION_CONTROL = "congestion-control";
    private static final String WRITES = "writes";
    private static final int MAXIMUM_WRITES = 16;

    /**
     * The maximum packet size: far more than a frame of uncompressed video; both sides keep whole packets in memory.
     */
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
    public List<Parameter<?>> settings() {
        return List.of(
                Parameter.flag(NO_DELAY, true)
                        .described("Whether to send each packet at once, without Nagle's algorithm (TCP_NODELAY)."),
                Parameter.number(WRITES, 1, MAXIMUM_WRITES)
                        .byDefault(1L)
                        .described("How many calls send a packet, each a part of about the same size."),
                IoSettings.batchSetting("The maximum number of packets that one call sends."),
                SocketBuffer.SEND.setting(),
                SocketBuffer.RECEIVE.setting(),
                Parameter.name(CONGESTION_CONTROL)
                        .orWord(Parameter.AUTO)
                        .described("The sender's congestion control (TCP_CONGESTION): reno, cubic, bbr or another one"
                                + " that its kernel has."));
    }

    @Override
    public int tableOrder() {
        return 0;
    }

    @Override
    public Wire wire() {
        return Wire.TCP;
    }

    /** The key of a kernel stamp is the stream offset of a write's last byte. */
    @Override
    public long stampKeysPerPacket(int packetBytes) {
        return packetBytes;
    }

    @Override
    public @Nullable Double packetsPerS(LinkCapacity link, int packetBytes) {
        return link.tcpPacketsPerS(packetBytes);
    }

    /** With Nagle's algorithm a packet may wait until those after it complete its segment, of at most 64 KiB. */
    @Override
    public long leadOutPackets(int packetBytes, Settings settings, boolean flood) {
        long packets = PacketTransport.super.leadOutPackets(packetBytes, settings, flood);
        return settings.flag(NO_DELAY) ? packets : Math.max(packets, (1 << 16) / packetBytes);
    }

    @Override
    public Set<String> systemCallSettings() {
        return Set.of(IoSettings.BATCH);
    }

    @Override
    public void check(int packetBytes, Settings settings) throws LagbenchException {
        long writes = settings.number(WRITES);
        if (writes > packetBytes) {
            throw ExitCode.USAGE.failure(
                    "writes: " + writes + " is more than the " + packetBytes + " bytes of a packet.");
        }
        if (writes > 1 && settings.number(IoSettings.BATCH) > 1) {
            throw ExitCode.USAGE.failure("writes: " + writes + " splits packets that batch: "
                    + settings.number(IoSettings.BATCH) + " joins; leave one of the two at 1.");
        }
    }

    @Override
    public int maximumPacketBytes(Settings settings) {
        return MAXIMUM_PACKET_BYTES;
    }

    @Override
    public void checkSender(Settings settings) throws LagbenchException {
        try (SocketChannel socket = SocketChannel.open()) {
            TcpPacketSender.setCongestionControl(socket, settings);
        } catch (IOException e) {
            throw ExitCode.UNAVAILABLE.failure("No socket can be opened: " + IoErrors.reason(e) + ".", e);
        }
    }

    @Override
    public PacketSender openSender(SideConfig run) throws LagbenchException {
        return TcpPacketSender.open(run, io(run));
    }

    @Override
    public PacketReceiver openReceiver(SideConfig run) throws LagbenchException {
        Map<String, String> sender = run.announced();
        return DataPort.isAnnounced(sender)
                ? TcpPacketReceiver.connect(
                        run, io(run), DataPort.announced(sender.getOrDefault(DataPort.HOST, run.host()), sender))
                : TcpPacketReceiver.open(run, io(run), TcpPacketReceiver.framer(run));
    }

    @Override
    public TransferSender openTransferSender(SideConfig run, boolean introduces) {
        return new TcpTransferSender(run, io(run), introduces);
    }

    @Override
    public void checkChunks(Settings settings) throws LagbenchException {
        for (String name : List.of(WRITES, IoSettings.BATCH)) {
            if (settings.number(name) > 1) {
                throw ExitCode.USAGE.failure(name() + "." + name + ": " + settings.number(name)
                        + " does not apply with a codec: one call sends each chunk; set it to 1, or codec to"
                        + " off.");
            }
        }
    }

    @Override
    public PacketReceiver openChunkReceiver(SideConfig run, StreamFramer chunks) throws LagbenchException {
        return TcpPacketReceiver.open(run, io(run), new SocketStreamFramer(run, chunks));
    }

    private static IoSettings io(SideConfig run) {
        return IoSettings.of(run, false, 0, run.settings().number(WRITES), false);
    }
}
