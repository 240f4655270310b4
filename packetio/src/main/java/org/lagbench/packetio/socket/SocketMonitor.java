package org.lagbench.packetio.socket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.NetworkChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Records in a dedicated thread the occupancy of a socket's buffers every {@value #PERIOD_MS} ms, and on the sending
 * side the kernel's transmit stamps. The kernel queues stamps in the memory of the socket's receive buffer; if they
 * arrive fast they are taken more often.
 */
public final class SocketMonitor implements AutoCloseable {
    private static final int PERIOD_MS = 1;
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MS);
    private static final long MINIMUM_WAIT_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /**
     * The maximum number of kernel stamps of a packet: two of a datagram or three of a TCP write, and one of a network
     * card.
     */
    private static final int STAMPS_PER_PACKET = 4;

    private static final int STAMP_BYTES = LinuxSocket.STAMP_VALUES * Long.BYTES;
    private static final int BATCH_STAMPS = 4096;

    /** If more stamps than this are read at once, the monitor reads them more often. */
    private static final int MANY_STAMPS = 128;

    private final LinuxSocket socket;
    private final GrowingCapture buffers;
    private final @Nullable KernelCapture stamps;
    private final ByteBuffer taken =
            ByteBuffer.allocateDirect(BATCH_STAMPS * STAMP_BYTES).order(ByteOrder.nativeOrder());
    private final long[] occupancy = new long[LinuxSocket.OCCUPANCY_VALUES];
    private final Thread thread = new Thread(this::record, "socket-monitor");
    private volatile boolean closing;
    private final AtomicLong unrecorded = new AtomicLong();
    private volatile @Nullable IOException failure;
    private boolean closed;

    private SocketMonitor(LinuxSocket socket, GrowingCapture buffers, @Nullable KernelCapture stamps) {
        this.socket = socket;
        this.buffers = buffers;
        this.stamps = stamps;
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Monitors a connected socket before anything is sent.
     *
     * @throws LagbenchException if this machine does not meet a requirement
     */
    public static SocketMonitor ofSender(NetworkChannel channel, SideConfig run) throws LagbenchException, IOException {
        LinuxSocket socket = LinuxSockets.open(channel);
        try {
            socket.enableTransmitStamps();
            KernelCapture stamps = KernelCapture.create(
                    run.captureFile().resolveSibling(KernelCapture.FILE_NAME),
                    run.phases().total() * STAMPS_PER_PACKET);
            try {
                Path file = run.captureFile().resolveSibling(BufferFiles.SENDER_FILE_NAME);
                return new SocketMonitor(socket, GrowingCapture.create(file, BufferFiles.SENDER_FIELDS), stamps);
            } catch (IOException e) {
                stamps.close();
                throw e;
            }
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Monitors a receiving socket.
     *
     * @throws LagbenchException if this machine does not meet a requirement
     */
    public static SocketMonitor ofReceiver(NetworkChannel channel, SideConfig run)
            throws LagbenchException, IOException {
        LinuxSocket socket = LinuxSockets.open(channel);
        try {
            Path file = run.captureFile().resolveSibling(BufferFiles.RECEIVER_FILE_NAME);
            return new SocketMonitor(socket, GrowingCapture.create(file, BufferFiles.RECEIVER_FIELDS), null);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void record() {
        try {
            long waitNs = PERIOD_NS;
            long sampledNs = System.nanoTime();
            sample();
            while (!closing) {
                long now = System.nanoTime();
                if (now - sampledNs >= PERIOD_NS) {
                    sampledNs = now;
                    sample();
                }
                int count = takeStamps();
                waitNs = count > MANY_STAMPS ? Math.max(MINIMUM_WAIT_NS, waitNs / 2) : Math.min(PERIOD_NS, 2 * waitNs);
                LockSupport.parkNanos(this, waitNs);
            }
            takeStamps();
        } catch (IOException e) {
            failure = e;
        } catch (UncheckedIOException | InternalError e) { // thrown by the capture; InternalError by its mapping
            failure = new IOException(stamps == null ? IoErrors.reason(e) : stamps.explain(e), e);
        }
    }

    private void sample() throws IOException {
        long atNs = RealtimeClock.nowNs();
        socket.readOccupancy(occupancy);
        if (stamps == null) {
            buffers.append(atNs, occupancy[3]);
        } else {
            buffers.append(atNs, occupancy[0], occupancy[1], occupancy[2], occupancy[4], occupancy[5], occupancy[6]);
        }
    }

    private int takeStamps() throws IOException {
        if (stamps == null) {
            return 0;
        }
        int all = 0;
        int count;
        do {
            count = socket.takeTransmitStamps(taken);
            for (int i = 0; i < count; i++) {
                int at = i * STAMP_BYTES;
                boolean recorded = stamps.append(
                        taken.getLong(at), taken.getLong(at + Long.BYTES), taken.getLong(at + 2 * Long.BYTES));
                unrecorded.setOpaque(unrecorded.getPlain() + (recorded ? 0 : 1));
            }
            all += count;
        } while (count > BATCH_STAMPS / 2 && !closing);
        return all;
    }

    /** Returns how many stamps did not fit the capture, such as those of TCP's retransmissions. */
    long unrecordedStamps() {
        return unrecorded.getOpaque();
    }

    /**
     * Ends the thread and closes the files. May be called more than once.
     *
     * @throws IOException if recording or closing failed
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        closing = true;
        LockSupport.unpark(thread);
        Uninterruptibly.join(thread);
        socket.close();
        try (buffers) {
            if (stamps != null) {
                stamps.close();
            }
        }
        if (failure != null) {
            throw new IOException("Monitoring the socket failed: " + IoErrors.reason(failure), failure);
        }
    }
}
