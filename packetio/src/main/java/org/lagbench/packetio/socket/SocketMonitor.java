package org.lagbench.packetio.socket;

import java.io.IOException;
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
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.StageRecording;

/**
 * Records, in a thread of its own, how full a socket's buffers are each {@value #PERIOD_MS} ms, and on the sending side
 * the kernel's stamps of what was sent. Stamps wait in the kernel, in as much memory as the socket's receive buffer may
 * take; where they come fast they are taken more often.
 */
public final class SocketMonitor implements AutoCloseable {
    /** The file of the sending side: {@code at_ns}, bytes, and µs of {@link LinuxSocket#readOccupancy}. */
    public static final String SENDER_FILE = BufferFiles.SENDER_FILE_NAME;

    /** The file of the receiving side. */
    public static final String RECEIVER_FILE = BufferFiles.RECEIVER_FILE_NAME;

    private static final int PERIOD_MS = 1;
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MS);
    private static final long SHORTEST_WAIT_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** Stamps of a packet: two of a datagram, three of a TCP write, and one more where the network card stamps too. */
    private static final int STAMPS_A_PACKET = 4;

    private static final int STAMP_BYTES = LinuxSocket.STAMP_VALUES * Long.BYTES;
    private static final int BATCH_STAMPS = 4096;

    /** So many at once mean that they come fast. */
    private static final int MANY_STAMPS = 128;

    private final LinuxSocket socket;
    private final GrowingCapture buffers;
    private final @Nullable KernelCapture stamps;
    private final ByteBuffer taken =
            ByteBuffer.allocateDirect(BATCH_STAMPS * STAMP_BYTES).order(ByteOrder.nativeOrder());
    private final long[] occupancy = new long[LinuxSocket.OCCUPANCY_VALUES];
    private final Thread thread = new Thread(this::watch, "socket-watch");
    private volatile boolean closing;
    private final AtomicLong withoutRoom = new AtomicLong();
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
     * Watches a connected socket that nothing was sent through yet.
     *
     * @throws LagbenchException if this machine lacks what is needed
     */
    public static SocketMonitor ofSender(NetworkChannel channel, StageRecording recording)
            throws LagbenchException, IOException {
        LinuxSocket socket = LinuxSockets.open(channel);
        try {
            socket.enableTransmitStamps();
            long packets = recording.packets() + recording.warmUpPackets();
            Path directory = recording.directory();
            KernelCapture stamps =
                    KernelCapture.create(directory.resolve(KernelCapture.FILE_NAME), packets * STAMPS_A_PACKET);
            try {
                return new SocketMonitor(
                        socket,
                        GrowingCapture.create(directory.resolve(SENDER_FILE), BufferFiles.SENDER_FIELDS),
                        stamps);
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
     * Watches a socket that receives.
     *
     * @throws LagbenchException if this machine lacks what is needed
     */
    public static SocketMonitor ofReceiver(NetworkChannel channel, StageRecording recording)
            throws LagbenchException, IOException {
        LinuxSocket socket = LinuxSockets.open(channel);
        try {
            return new SocketMonitor(
                    socket,
                    GrowingCapture.create(recording.directory().resolve(RECEIVER_FILE), BufferFiles.RECEIVER_FIELDS),
                    null);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void watch() {
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
                waitNs = count > MANY_STAMPS ? Math.max(SHORTEST_WAIT_NS, waitNs / 2) : Math.min(PERIOD_NS, 2 * waitNs);
                LockSupport.parkNanos(this, waitNs);
            }
            takeStamps();
        } catch (IOException e) {
            failure = e;
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

    /** Takes all there are. */
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
                boolean kept = stamps.append(
                        taken.getLong(at), taken.getLong(at + Long.BYTES), taken.getLong(at + 2 * Long.BYTES));
                withoutRoom.setOpaque(withoutRoom.getPlain() + (kept ? 0 : 1));
            }
            all += count;
        } while (count > BATCH_STAMPS / 2 && !closing);
        return all;
    }

    /** Stamps for which the capture had no room, as when TCP sent much again. */
    long stampsWithoutRoom() {
        return withoutRoom.getOpaque();
    }

    /**
     * Ends the thread and closes the files.
     *
     * @throws IOException if watching or closing failed
     */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        closing = true;
        LockSupport.unpark(thread);
        join();
        socket.close();
        try (buffers) {
            if (stamps != null) {
                stamps.close();
            }
        }
        if (failure != null) {
            throw new IOException("Watching the socket failed: " + failure.getMessage(), failure);
        }
    }

    /** Ends the watch, if there is one, of a run that broke off: what was recorded is kept as far as it goes. */
    public static void endQuietly(@Nullable SocketMonitor watch) {
        try {
            if (watch != null) {
                watch.close();
            }
        } catch (IOException e) {
            return; // why the run broke off is told by others
        }
    }

    private void join() {
        Uninterruptibly.join(thread);
    }
}
