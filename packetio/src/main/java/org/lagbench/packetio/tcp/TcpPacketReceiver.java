package org.lagbench.packetio.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.KernelSocket;
import org.lagbench.packetio.socket.KernelSockets;
import org.lagbench.packetio.socket.Reason;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketCalls;
import org.lagbench.packetio.socket.SocketFacts;
import org.lagbench.packetio.socket.SocketMonitor;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.StageRecording;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Waits for the sender to connect, then frames its stream by the packets' size. Packets that one read completed have
 * one stamp, taken just after that read.
 */
final class TcpPacketReceiver implements PacketReceiver {
    private static final int LEAST_READ_BYTES = 1 << 16;
    private static final int BACKLOG = 64;

    private final TransportRun run;
    private final SocketCalls calls;
    private final ServerSocketChannel listening;
    private final Map<String, String> announcement;
    private final ByteBuffer buffer;
    private final SocketFacts facts = new SocketFacts(this::readFacts);
    private long packets;

    /** Guards what {@link #close} ends. */
    private final Object lifecycle = new Object();

    private boolean closed;
    private @Nullable SenderAcceptor acceptor;
    private volatile @Nullable SocketChannel connection;
    private @Nullable StageRecording recording;

    /** What reads in place of {@link #connection}, if anything does. */
    private volatile @Nullable KernelSocket kernel;

    private boolean stamped;
    private @Nullable SocketMonitor watch;

    private TcpPacketReceiver(TransportRun run, SocketCalls calls, ServerSocketChannel listening) throws IOException {
        this.run = run;
        this.calls = calls;
        this.listening = listening;
        this.announcement = DataPort.announce(listening);
        this.buffer = ByteBuffer.allocateDirect(Math.max(LEAST_READ_BYTES, run.packetBytes()));
    }

    static TcpPacketReceiver open(TransportRun run, SocketCalls calls) throws LagbenchException {
        DataPort local = DataPort.ephemeral(run.host());
        ServerSocketChannel listening = null;
        try {
            listening = ServerSocketChannel.open(local.family());
            SocketBuffer.RECEIVE.request(
                    listening, run.settings()); // connections inherit it, and scale their window by it
            listening.bind(local.address(), BACKLOG);
            return new TcpPacketReceiver(run, calls, listening);
        } catch (IOException | UnsupportedOperationException e) {
            Sockets.close(listening);
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "Cannot listen for TCP connections on " + run.host() + ": " + Reason.of(e)
                            + ". Is it an address of this machine?",
                    e);
        }
    }

    @Override
    public Map<String, String> announce() {
        return announcement;
    }

    @Override
    public int receive(PacketAccounting arrivals) throws IOException {
        int read;
        try {
            SocketChannel sender = connection == null ? accept(arrivals) : connection;
            if (sender == null) {
                return END;
            }
            read = read(sender);
        } catch (ClosedChannelException e) {
            return END;
        } catch (IOException e) {
            throw new IOException("Receiving over TCP on " + run.host() + " failed: " + Reason.of(e), e);
        }
        KernelSocket direct = kernel;
        long receivedNs = direct == null ? RealtimeClock.nowNs() : direct.receivedNs();
        if (read < 0) {
            return END;
        }
        return frame(
                arrivals, receivedNs, stamped && direct != null ? direct.receiveStampNs() : PacketAccounting.NO_STAMP);
    }

    /**
     * The kernel stamps the last segment of a read only, so that with its stamps a read takes no more than one packet.
     */
    private int read(SocketChannel sender) throws IOException {
        KernelSocket direct = kernel;
        if (direct == null) {
            return sender.read(buffer);
        }
        if (stamped) {
            buffer.limit(run.packetBytes());
        }
        return direct.receive(buffer);
    }

    private int frame(PacketAccounting arrivals, long receivedNs, long kernelNs) throws IOException {
        int end = buffer.position();
        int offset = 0;
        int framed = 0;
        for (; end - offset >= run.packetBytes(); offset += run.packetBytes()) {
            if (PacketLayout.tag(buffer, offset) != run.tag()) {
                arrivals.countForeign();
                throw new IOException("The TCP stream from the sender is corrupt: after " + (packets + framed)
                        + " packets of " + run.packetBytes() + " bytes the next does not begin with the run's tag.");
            }
            arrivals.packet(buffer, offset, receivedNs, kernelNs);
            framed++;
        }
        if (offset > 0) {
            buffer.limit(end).position(offset);
            buffer.compact();
        }
        packets += framed;
        return framed;
    }

    private @Nullable SocketChannel accept(PacketAccounting arrivals) throws IOException {
        SenderAcceptor accepting;
        synchronized (lifecycle) {
            if (closed) {
                return null;
            }
            accepting = new SenderAcceptor(listening, run.tag());
            acceptor = accepting;
        }
        try {
            return adopt(accepting.accept(arrivals));
        } finally {
            synchronized (lifecycle) {
                acceptor = null;
            }
            accepting.close();
        }
    }

    private @Nullable SocketChannel adopt(@Nullable SocketChannel sender) throws IOException {
        synchronized (lifecycle) {
            if (sender != null && closed) {
                Sockets.close(sender);
                return null;
            }
            if (sender != null) {
                buffer.putLong(run.tag()); // the acceptor has read these bytes of the first packet
            }
            connection = sender; // closing gives it back, whatever becomes of the rest
            if (sender != null) {
                openKernel(sender, recording);
            }
            return sender;
        }
    }

    private void openKernel(SocketChannel sender, @Nullable StageRecording wanted) throws IOException {
        try {
            if (wanted == null) {
                kernel = calls.open(sender);
            } else {
                KernelSocket stamping = KernelSockets.open(sender, KernelSockets.STAGES);
                kernel = stamping;
                stamping.enableReceiveStamps();
                stamped = true;
                watch = SocketMonitor.ofReceiver(sender, wanted);
            }
        } catch (LagbenchException e) {
            throw new IOException(e.sentence(), e);
        }
    }

    @Override
    public void recordStages(StageRecording wanted) throws LagbenchException {
        KernelSockets.provider(KernelSockets.STAGES);
        recording = wanted;
    }

    @Override
    public void endStages() throws IOException {
        synchronized (lifecycle) {
            if (watch != null) {
                watch.close();
            }
        }
    }

    /** TCP sends again what a full buffer made the kernel drop: no packet is ever lost that way. */
    @Override
    public long kernelDrops() {
        return 0;
    }

    @Override
    public Map<String, Object> facts() {
        return facts.get();
    }

    private void readFacts(Map<String, Object> into) throws IOException {
        SocketChannel sender = connection;
        if (sender != null) {
            SocketBuffer.RECEIVE.putFacts(sender, run.settings(), into);
            into.put("localAddress", DataPort.text(sender.getLocalAddress()));
            into.put("remoteAddress", DataPort.text(sender.getRemoteAddress()));
            SocketCalls.putFact(kernel, into);
            into.put("sharedStamps", !stamped); // packets that one read completed have its stamp
        } else {
            SocketBuffer.RECEIVE.putFacts(listening, run.settings(), into);
            into.put("localAddress", DataPort.text(listening.getLocalAddress()));
        }
    }

    @Override
    public void close() {
        synchronized (lifecycle) {
            if (!closed) {
                closed = true;
                facts.keep();
                SocketMonitor.endQuietly(watch);
                if (kernel != null) {
                    kernel.close();
                }
                if (acceptor != null) {
                    acceptor.cancel(); // the receiving thread closes what it is waiting for
                } else {
                    Sockets.close(listening);
                }
                Sockets.close(connection);
            }
        }
    }
}
