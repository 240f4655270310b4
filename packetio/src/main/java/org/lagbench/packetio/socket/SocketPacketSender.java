package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
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
    private final IoSettings calls;
    private final SendBatch packets;
    private final SocketMetadata metadata = new SocketMetadata(this::readMetadata);
    private final Object opening = new Object();
    private volatile boolean closed;
    private volatile @Nullable S socket;
    private volatile @Nullable SocketIo io;
    private String receiver;
    private @Nullable SenderCapture capture;
    private volatile @Nullable SocketMonitor monitor;

    /**
     * @param calls by which packets are sent
     * @param batchSize how many packets are made at most before they are sent
     */
    protected SocketPacketSender(TransportRun run, IoSettings calls, int batchSize) {
        this.run = run;
        this.calls = calls;
        this.packets = new SendBatch(run, batchSize, calls.sharesStamps());
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

    /** Sends what begins the first packet, if it must be sent before that is due; how many bytes. */
    protected int sendAhead(S socket) throws IOException {
        return 0;
    }

    /** The key of the kernel's stamps of a packet before which so many were sent. */
    protected abstract long stampKey(long packetsBefore);

    /** The sentence for a {@link #connect} that failed. */
    protected abstract String unreachable(String address, String reason);

    /** The sentence for sending that failed. */
    protected abstract String broken(String address, IOException failure);

    /** Puts what there is to tell of the connected socket besides its buffer and addresses. */
    protected void putMetadata(S connectedSocket, Map<String, Object> into) throws IOException {}

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
            if (closed) {
                throw new ClosedChannelException();
            }
        } catch (IOException | UnsupportedOperationException e) {
            close();
            throw new LagbenchException(ExitCode.PEER, unreachable(receiver, IoErrors.reason(e)), e);
        } catch (LagbenchException e) {
            close();
            throw e;
        }
    }

    private void connectRecorded(S opened, InetSocketAddress address) throws IOException, LagbenchException {
        StageRecording wanted = run.stages();
        if (wanted == null) {
            connect(opened, address);
        } else {
            opened.setOption(StandardSocketOptions.SO_RCVBUF, STAMPS_BUFFER_BYTES);
            connect(opened, address);
            monitor = SocketMonitor.ofSender(opened, wanted);
        }
        packets.sentAhead(sendAhead(opened));
        io = calls.openSender(opened, run.packetBytes());
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
        SocketIo open = io;
        if (open == null) {
            packets.drop();
            throw closed ? new ClosedChannelException() : new IOException("The sender is not connected.");
        }
        int taken;
        try {
            taken = open.send(packets);
        } catch (IOException e) {
            packets.drop();
            throw closed ? e : new IOException(broken(receiver, e), e);
        }
        packets.sent(taken, into);
    }

    /** What was written is the kernel's. */
    @Override
    public final void flush() throws IOException {
        push();
    }

    @Override
    public final void endStages() throws IOException {
        SocketMonitor watching = monitor;
        if (watching != null) {
            watching.close();
        }
    }

    @Override
    public final Map<String, Object> metadata() {
        return metadata.get();
    }

    private void readMetadata(Map<String, Object> into) throws IOException {
        S open = socket;
        if (open != null && io != null) {
            SocketBuffer.SEND.putMetadata(open, run.settings(), into);
            into.put("localAddress", DataPort.text(open.getLocalAddress()));
            into.put("remoteAddress", receiver);
            into.put("packetsPerCall", packets.packetsPerCall());
            into.put("sharedStamps", calls.sharesStamps());
            StageRecording recorded = run.stages();
            SocketMonitor watching = monitor;
            if (recorded != null && watching != null) {
                into.put(KernelCapture.FIRST_KEY_NAME, stampKey(recorded.warmUpPackets()));
                into.put("kernelStampsWithoutRoom", watching.stampsWithoutRoom());
            }
            putMetadata(open, into);
        }
    }

    @Override
    public final void close() {
        synchronized (opening) {
            closed = true;
            metadata.keep();
            SocketMonitor.endQuietly(monitor);
            SocketIo open = io;
            if (open != null) {
                open.close();
            }
            Sockets.close(socket);
        }
    }
}
