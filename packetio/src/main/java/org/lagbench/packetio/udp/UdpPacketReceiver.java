package org.lagbench.packetio.udp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.KernelSocket;
import org.lagbench.packetio.socket.KernelSockets;
import org.lagbench.packetio.socket.Reason;
import org.lagbench.packetio.socket.ReceiveBatch;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketCalls;
import org.lagbench.packetio.socket.SocketDrops;
import org.lagbench.packetio.socket.SocketFacts;
import org.lagbench.packetio.socket.SocketMonitor;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.StageRecording;
import org.lagbench.packetio.transport.TransportRun;

/** Receives datagrams from whoever sends them; those of another size than the run's are foreign. */
final class UdpPacketReceiver implements PacketReceiver {
    private final TransportRun run;
    private final DatagramChannel socket;
    private final Map<String, String> announcement;
    private final SocketDrops drops;
    private final SocketFacts facts = new SocketFacts(this::readFacts);

    private final UdpCalls calls;
    private ReceiveBatch datagrams;
    private @Nullable KernelSocket kernel;
    private boolean stamped;
    private @Nullable SocketMonitor watch;
    private boolean closed;
    private long dropsWhenClosed;

    private UdpPacketReceiver(TransportRun run, DatagramChannel socket) throws IOException, LagbenchException {
        this.run = run;
        this.socket = socket;
        this.announcement = DataPort.announce(socket);
        this.drops = new SocketDrops((InetSocketAddress) socket.getLocalAddress());
        this.calls = UdpCalls.of(run.settings());
        this.datagrams = calls.offload()
                ? ReceiveBatch.ofJoined(run.packetBytes())
                : ReceiveBatch.ofOneCall(calls.batch(), run.packetBytes());
        this.kernel = calls.socket().open(socket);
        if (calls.offload() && kernel != null) {
            kernel.enableReceiveOffload();
        }
    }

    static UdpPacketReceiver open(TransportRun run) throws LagbenchException {
        DataPort local = DataPort.ephemeral(run.host());
        DatagramChannel socket = null;
        try {
            socket = DatagramChannel.open(local.family());
            SocketBuffer.RECEIVE.request(socket, run.settings());
            socket.bind(local.address());
            return new UdpPacketReceiver(run, socket);
        } catch (IOException | UnsupportedOperationException e) {
            Sockets.close(socket);
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "Cannot receive UDP on " + run.host() + ": " + Reason.of(e) + ". Is it an address of this machine?",
                    e);
        } catch (LagbenchException e) {
            Sockets.close(socket);
            throw e;
        }
    }

    @Override
    public Map<String, String> announce() {
        return announcement;
    }

    @Override
    public int receive(PacketAccounting arrivals) throws IOException {
        KernelSocket direct = kernel;
        try {
            return direct == null ? receiveByChannel(arrivals) : receiveByKernel(direct, arrivals);
        } catch (ClosedChannelException e) {
            return END;
        } catch (IOException e) {
            throw new IOException("Receiving UDP on " + run.host() + " failed: " + Reason.of(e), e);
        }
    }

    private int receiveByChannel(PacketAccounting arrivals) throws IOException {
        ByteBuffer packet = datagrams.packets().clear();
        socket.receive(packet);
        return take(arrivals, 0, packet.position(), RealtimeClock.nowNs(), PacketAccounting.NO_STAMP);
    }

    private int receiveByKernel(KernelSocket direct, PacketAccounting arrivals) throws IOException {
        int count = direct.receiveDatagrams(datagrams, calls.busyPollNs());
        int packets = 0;
        for (int i = 0; i < count; i++) {
            long kernelNs = stamped ? datagrams.kernelNs(i) : PacketAccounting.NO_STAMP;
            packets += take(arrivals, datagrams.offset(i), datagrams.bytes(i), datagrams.receivedNs(i), kernelNs);
        }
        return count == KernelSocket.END ? END : packets;
    }

    private int take(PacketAccounting arrivals, int offset, long bytes, long receivedNs, long kernelNs) {
        if (bytes != run.packetBytes()) {
            arrivals.countForeign();
            return 0;
        }
        arrivals.packet(datagrams.packets(), offset, receivedNs, kernelNs);
        return 1;
    }

    /**
     * Datagrams of anybody that found the receive buffer full, or (rarer) had a wrong checksum; −1 if the kernel joins
     * datagrams, as it counts joined ones as one.
     */
    @Override
    public synchronized long kernelDrops() {
        return closed ? dropsWhenClosed : dropsUpToNow();
    }

    /**
     * By the socket itself where that can be: the kernel's table, walked each time, takes a flood a fifth of its rate.
     */
    private long dropsUpToNow() {
        if (calls.offload()) {
            return -1;
        }
        KernelSocket direct = kernel;
        if (direct == null) {
            return drops.count();
        }
        try {
            return direct.drops();
        } catch (IOException e) {
            return drops.count(); // a socket of Linux before 4.12 does not tell, its table does
        }
    }

    @Override
    public void recordStages(StageRecording recording) throws LagbenchException {
        try {
            KernelSocket direct = kernel != null ? kernel : KernelSockets.open(socket, KernelSockets.STAGES);
            kernel = direct;
            direct.enableReceiveStamps();
            stamped = true;
            watch = SocketMonitor.ofReceiver(socket, recording);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "The stages of received packets cannot be recorded: " + Reason.of(e) + ".",
                    e);
        }
    }

    @Override
    public void endStages() throws IOException {
        if (watch != null) {
            watch.close();
        }
    }

    @Override
    public void expectFlood(long lastSequence) {
        if (kernel != null && !stamped && calls.batch() == 1 && !calls.offload()) {
            datagrams = ReceiveBatch.ofCallsEach(calls.handedOver(), run.packetBytes(), lastSequence);
        }
    }

    @Override
    public boolean holdsBack() {
        return !datagrams.together();
    }

    @Override
    public Map<String, Object> facts() {
        return facts.get();
    }

    private void readFacts(Map<String, Object> into) throws IOException {
        SocketBuffer.RECEIVE.putFacts(socket, run.settings(), into);
        into.put("localAddress", DataPort.text(socket.getLocalAddress()));
        SocketCalls.putFact(kernel, into);
        SocketCalls.putBatch(
                datagrams.together() ? datagrams.room() : 1, datagrams.together() && datagrams.room() > 1, into);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            dropsWhenClosed = dropsUpToNow();
            closed = true;
            facts.keep();
            SocketMonitor.endQuietly(watch);
            if (kernel != null) {
                kernel.close();
            }
            Sockets.close(socket);
        }
    }
}
