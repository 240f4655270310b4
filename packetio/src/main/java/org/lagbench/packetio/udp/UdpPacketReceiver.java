package org.lagbench.packetio.udp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.ReceiveBatch;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketDrops;
import org.lagbench.packetio.socket.SocketIo;
import org.lagbench.packetio.socket.SocketPacketReceiver;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.Calls;
import org.lagbench.packetio.transport.TransportRun;

/** Receives datagrams from whoever sends them; those of another size than the run's are foreign. */
final class UdpPacketReceiver extends SocketPacketReceiver {
    private final DatagramChannel socket;
    private final SocketDrops dropsInTable;
    private final SocketIo io;
    private final ReceiveBatch datagrams;
    private final boolean holdsBack;
    private final boolean joins;
    private long dropsWhenClosed;

    private UdpPacketReceiver(TransportRun run, IoSettings calls, DatagramChannel socket)
            throws IOException, LagbenchException {
        super(run, calls, socket);
        this.socket = socket;
        this.dropsInTable = new SocketDrops((InetSocketAddress) socket.getLocalAddress());
        this.holdsBack = run.floodEnd() != TransportRun.NO_FLOOD
                && run.stages() == null
                && calls.calls() == Calls.SYSTEM
                && !calls.sharesStamps()
                && !calls.offload();
        this.datagrams = calls.datagrams(run.packetBytes(), holdsBack, run.floodEnd());
        this.joins = calls.offload();
        this.io = openIo(socket);
    }

    static UdpPacketReceiver open(TransportRun run, IoSettings calls) throws LagbenchException {
        DataPort local = DataPort.ephemeral(run.host());
        DatagramChannel socket = null;
        try {
            socket = DatagramChannel.open(local.family());
            SocketBuffer.RECEIVE.request(socket, run.settings());
            socket.bind(local.address());
            return new UdpPacketReceiver(run, calls, socket);
        } catch (IOException | UnsupportedOperationException | LagbenchException e) {
            Sockets.close(socket);
            throw cannotOpen("Cannot receive UDP", run, e);
        }
    }

    @Override
    public int receive(PacketAccounting arrivals) throws IOException {
        int count;
        try {
            count = io.receive(datagrams);
        } catch (ClosedChannelException e) {
            return END;
        } catch (IOException e) {
            throw new IOException("Receiving UDP on " + run.host() + " failed: " + IoErrors.reason(e), e);
        }
        int packets = 0;
        for (int i = 0; i < count; i++) {
            if (datagrams.bytes(i) == run.packetBytes()) {
                arrivals.packet(
                        datagrams.packets(), datagrams.offset(i), datagrams.receivedNs(i), datagrams.kernelNs(i));
                packets++;
            } else {
                arrivals.countForeign();
            }
        }
        return count == SocketIo.END ? END : packets;
    }

    @Override
    public boolean holdsBack() {
        return holdsBack;
    }

    /**
     * Datagrams of anybody that found the receive buffer full, or (rarer) had a wrong checksum; −1 if the kernel joins
     * datagrams, as it counts joined ones as one.
     */
    @Override
    public long kernelDrops() {
        synchronized (lifecycle) {
            return isClosed() ? dropsWhenClosed : dropsUpToNow();
        }
    }

    /**
     * By the socket itself where that tells: the kernel's table, walked each time, takes a flood a fifth of its rate.
     */
    private long dropsUpToNow() {
        if (joins) {
            return SocketIo.UNKNOWN;
        }
        long told = io.drops();
        return told == SocketIo.UNKNOWN ? dropsInTable.count() : told;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) {
        int perCall = holdsBack ? 1 : datagrams.room();
        into.put("packetsPerCall", perCall);
        into.put("sharedStamps", perCall > 1);
    }

    @Override
    protected NetworkChannel socket() {
        return socket;
    }

    @Override
    public void close() {
        synchronized (lifecycle) {
            if (!isClosed()) {
                dropsWhenClosed = dropsUpToNow();
                super.close();
            }
        }
    }
}
