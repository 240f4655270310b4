package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.StageRecording;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Sends packets to a socket that {@link #connect} opens: each by a call of its own, or several by one. What was written
 * is the kernel's to deliver, also after {@link #close()}.
 *
 * <p>The packets of one call have the same two stamps, taken just before and just after it: until then they were in
 * this process, whenever they were made. Those that a call left over are stamped anew for the next.
 *
 * @param <S> the socket
 */
public abstract class SocketPacketSender<S extends NetworkChannel> implements PacketSender {
    /** Linux keeps stamps in no more memory than the receive buffer may take, some 768 bytes a stamp. */
    private static final int STAMPS_BUFFER_BYTES = 1 << 22;

    private final TransportRun run;
    private final SocketCalls calls;
    private final SendBatch packets;
    private final SocketFacts facts = new SocketFacts(this::readFacts);
    private final Object opening = new Object();
    private volatile boolean closed;
    private volatile boolean connected;
    private volatile @Nullable S socket;

    /** What sends in place of {@link #socket}, if anything does. */
    private volatile @Nullable KernelSocket kernel;

    private String receiver;
    private @Nullable SenderCapture capture;
    private @Nullable StageRecording recording;
    private volatile @Nullable SocketMonitor watch;

    /**
     * @param calls by which packets are sent
     * @param most how many packets {@link #send} is given at the most; 1 by a channel's calls
     * @param together whether one call sends all that it is given
     */
    protected SocketPacketSender(TransportRun run, SocketCalls calls, int most, boolean together) {
        this.run = run;
        this.calls = calls;
        this.packets = new SendBatch(run, most, together);
        this.receiver = run.host();
    }

    /** Makes a socket that is not yet connected. */
    protected abstract S open(ProtocolFamily family) throws IOException;

    /**
     * Connects the socket, whose send buffer has its size.
     *
     * @throws LagbenchException if it cannot be as the settings want it
     */
    protected abstract void connect(S socket, InetSocketAddress address) throws IOException, LagbenchException;

    /** Says what must be said over the connected socket before the first packet. */
    protected void greet(S socket) throws IOException {}

    /** Prepares the connected socket for the operating system's calls. */
    protected void prepare(KernelSocket kernelSocket) throws IOException {}

    /** The key of the kernel's stamps of a packet before which so many were sent. */
    protected abstract long stampKey(long packetsBefore);

    /** Writes all that remains in the buffer, a packet. Allocates nothing. */
    protected abstract void write(S socket, ByteBuffer packet) throws IOException;

    /**
     * Sends packets by the operating system's calls in place of {@link #write}, with the stamps of the call. Allocates
     * nothing.
     *
     * @return how many were taken, 1 or more
     */
    protected abstract int send(KernelSocket kernelSocket, SendBatch packets) throws IOException;

    /** The sentence for a {@link #connect} that failed. */
    protected abstract String unreachable(String address, String reason);

    /** The sentence for sending that failed. */
    protected abstract String broken(String address, IOException failure);

    /** Puts what there is to tell of the connected socket besides its buffer and addresses. */
    protected void putFacts(S connectedSocket, Map<String, Object> into) throws IOException {}

    @Override
    public final Map<String, String> announce() {
        return Map.of();
    }

    @Override
    public final void connect(Map<String, String> receiverAnnounced) throws LagbenchException {
        DataPort port = DataPort.announced(run.host(), receiverAnnounced);
        receiver = port.toString();
        try {
            S opened = openUnlessClosed(port.family());
            SocketBuffer.SEND.request(opened, run.settings());
            connectRecorded(opened, port.address());
            connected = true;
            if (closed) {
                throw new ClosedChannelException();
            }
        } catch (IOException | UnsupportedOperationException e) {
            close();
            throw new LagbenchException(ExitCode.PEER, unreachable(receiver, Reason.of(e)), e);
        } catch (LagbenchException e) {
            close();
            throw e;
        }
    }

    private void connectRecorded(S opened, InetSocketAddress address) throws IOException, LagbenchException {
        StageRecording wanted = recording;
        if (wanted == null) {
            connect(opened, address);
        } else {
            opened.setOption(StandardSocketOptions.SO_RCVBUF, STAMPS_BUFFER_BYTES);
            connect(opened, address);
            watch = SocketMonitor.ofSender(opened, wanted);
        }
        greet(opened);
        KernelSocket direct = calls.open(opened);
        kernel = direct;
        if (direct != null) {
            prepare(direct);
        }
    }

    private S openUnlessClosed(ProtocolFamily family) throws IOException {
        synchronized (opening) {
            if (closed) {
                throw new ClosedChannelException();
            }
            S opened = open(family);
            socket = opened;
            return opened;
        }
    }

    @Override
    public final void send(long sequence, long scheduledNs, SenderCapture into) throws IOException {
        capture = into;
        packets.make(sequence, scheduledNs);
        if (packets.isFull()) {
            push();
        }
    }

    @Override
    public final void push() throws IOException {
        SenderCapture into = capture;
        while (packets.count() > 0 && into != null) {
            write(into);
        }
    }

    private void write(SenderCapture into) throws IOException {
        S open = socket;
        if (open == null) {
            packets.drop();
            throw closed ? new ClosedChannelException() : new IOException("The sender is not connected.");
        }
        int taken;
        try {
            taken = hand(open);
        } catch (IOException e) {
            packets.drop();
            throw closed ? e : new IOException(broken(receiver, e), e);
        }
        packets.sent(taken, into);
    }

    /** Returns how many packets were taken. */
    private int hand(S open) throws IOException {
        KernelSocket direct = kernel;
        if (direct != null) {
            return send(direct, packets);
        }
        packets.beforeCall();
        write(open, packets.buffer());
        packets.afterCall();
        return 1;
    }

    /** What was written is the kernel's. */
    @Override
    public final void flush() throws IOException {
        push();
    }

    @Override
    public void recordStages(StageRecording wanted) throws LagbenchException {
        KernelSockets.provider(KernelSockets.STAGES);
        recording = wanted;
    }

    @Override
    public final void endStages() throws IOException {
        SocketMonitor watching = watch;
        if (watching != null) {
            watching.close();
        }
    }

    @Override
    public final Map<String, Object> facts() {
        return facts.get();
    }

    private void readFacts(Map<String, Object> into) throws IOException {
        S open = socket;
        if (open != null && connected) {
            SocketBuffer.SEND.putFacts(open, run.settings(), into);
            into.put("localAddress", DataPort.text(open.getLocalAddress()));
            into.put("remoteAddress", receiver);
            SocketCalls.putFact(kernel, into);
            SocketCalls.putBatch(packets.packetsPerCall(), packets.together(), into);
            StageRecording recorded = recording;
            SocketMonitor watching = watch;
            if (recorded != null && watching != null) {
                into.put(KernelCapture.FIRST_KEY_FACT, stampKey(recorded.warmUpPackets()));
                into.put("kernelStampsWithoutRoom", watching.stampsWithoutRoom());
            }
            putFacts(open, into);
        }
    }

    @Override
    public final void close() {
        synchronized (opening) {
            closed = true;
            facts.keep();
            SocketMonitor.endQuietly(watch);
            KernelSocket direct = kernel;
            if (direct != null) {
                direct.close();
            }
            Sockets.close(socket);
        }
    }
}
