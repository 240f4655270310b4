package org.lagbench.packetio.udp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CallFacts;
import org.lagbench.core.run.PacketError;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.DatagramFramer;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.PathOpening;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketDrops;
import org.lagbench.packetio.socket.SocketPacketReceiver;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.ReceiveBatch;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;
import org.lagbench.packetio.transport.SocketIo;

/** Receives datagrams from any sender; datagrams whose size differs from the run's packets are foreign. */
final class UdpPacketReceiver extends SocketPacketReceiver {
    private final DatagramChannel socket;
    private final SocketDrops dropsInTable;
    private final SocketIo io;
    private final ReceiveBatch datagrams;
    private final DatagramFramer framer;
    private final boolean canHoldPackets;

    /** Whether {@link SocketIo#reply} knows the sender's address. Always true if the run has no replies. */
    private boolean knowsSender;

    private final boolean joins;
    private long dropsWhenClosed;

    private UdpPacketReceiver(SideConfig run, IoSettings ioSettings, DatagramChannel socket)
            throws IOException, LagbenchException {
        super(run, ioSettings, socket);
        this.socket = socket;
        this.dropsInTable = new SocketDrops((InetSocketAddress) socket.getLocalAddress());
        this.canHoldPackets = run.isFlood()
                && !run.recordsTimestamps()
                && ioSettings.socketApi() == SocketApi.SYSTEM_CALLS
                && !ioSettings.sharesStamps()
                && !ioSettings.offload();
        this.datagrams = ioSettings.datagrams(
                run.packetBytes(), canHoldPackets, run.phases().recorded() - 1);
        this.framer = new DatagramFramer(datagrams, run.packetBytes(), run.isAnswered() ? null : Arrival.RECEIVED);
        this.knowsSender = !run.isAnswered();
        this.joins = ioSettings.offload();
        this.io = openIo(socket);
    }

    static UdpPacketReceiver open(SideConfig run, IoSettings ioSettings) throws LagbenchException {
        DataPort local = DataPort.listening(run);
        DatagramChannel socket = null;
        try {
            socket = DatagramChannel.open(local.family());
            SocketBuffer.RECEIVE.request(socket, run.settings());
            if (run.isAnswered()) {
                SocketBuffer.SEND.request(socket, run.settings());
            }
            Sockets.bindToDevice(socket, run);
            socket.bind(local.address());
            openPath(socket, run);
            return new UdpPacketReceiver(run, ioSettings, socket);
        } catch (IOException | UnsupportedOperationException | LagbenchException e) {
            Sockets.close(socket);
            throw cannotOpen("Cannot receive UDP", run, e);
        }
    }

    private static void openPath(DatagramChannel from, SideConfig run) throws IOException, LagbenchException {
        InetSocketAddress sender = PathOpening.target(run);
        for (int copy = 0; sender != null && copy < PathOpening.COPIES; copy++) {
            try {
                from.send(PathOpening.packet(run.tag()), sender);
            } catch (IOException e) {
                if (PacketError.of(e) == null) {
                    throw e;
                }
            }
        }
    }

    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        try {
            if (!knowsSender) {
                knowsSender = io.awaitSender(run.tag(), run.packetBytes(), run.replyTo());
                if (!knowsSender) {
                    accounting.countForeign();
                    return 0;
                }
            }
            return framer.receive(io, accounting);
        } catch (ClosedChannelException e) {
            return END;
        } catch (IOException e) {
            throw new IOException("Receiving UDP on " + run.host() + " failed: " + IoErrors.reason(e), e);
        }
    }

    @Override
    public boolean canHoldPackets() {
        return canHoldPackets;
    }

    /**
     * Returns how many datagrams of any sender were dropped because the receive buffer was full or a checksum was
     * wrong; −1 if the kernel joins datagrams, because it counts joined ones as one.
     */
    @Override
    public long kernelDrops() {
        synchronized (lifecycle) {
            return isClosed() ? dropsWhenClosed : presentDrops();
        }
    }

    /** Prefers the socket's own counter: reading the kernel's table slows down a flood. */
    private long presentDrops() {
        if (joins) {
            return SocketIo.UNKNOWN;
        }
        long drops = io.drops();
        return drops == SocketIo.UNKNOWN ? dropsInTable.count() : drops;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        int perCall = canHoldPackets ? 1 : datagrams.capacity();
        CallFacts.of(perCall, perCall > 1).putInto(into);
    }

    @Override
    protected NetworkChannel socket() {
        return socket;
    }

    @Override
    protected void release() {
        dropsWhenClosed = presentDrops();
        super.release();
    }
}
