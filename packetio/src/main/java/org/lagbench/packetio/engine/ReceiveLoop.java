package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.packetio.transport.DatagramMarks;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;
import org.lagbench.packetio.transport.PacketReceiver;

/** Receives packets in a dedicated thread of this process, and waits for the last of them. */
public final class ReceiveLoop implements ReceiveEngine {
    /** Creates a platform thread. */
    public static final ThreadFactory THREADS = task -> new Thread(task, "packets");

    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAXIMUM_POLL_NS = 5 * POLL_INTERVAL_NS;

    private static final int CALLS_PER_ROUND = 16;

    private final PacketReceiver receiver;
    private final PacketAccounting accounting;
    private final Consumer<String> onFailure;
    private final Thread thread;
    private final CompletableFuture<@Nullable PacketThread> started = new CompletableFuture<>();
    private volatile long cpuBeforeNs = ThreadCpuTime.currentNs();
    private volatile long cpuAtLeadOutNs = ThreadCpuTime.UNKNOWN;
    private volatile long cpuAtEndNs = ThreadCpuTime.UNKNOWN;
    private long cpuNs = ThreadCpuTime.UNKNOWN;
    private boolean drained;

    public ReceiveLoop(PacketReceiver receiver, PacketAccounting accounting, Consumer<String> onFailure) {
        this(receiver, accounting, onFailure, THREADS);
    }

    /** @param threads creates the receiving thread */
    ReceiveLoop(
            PacketReceiver receiver, PacketAccounting accounting, Consumer<String> onFailure, ThreadFactory threads) {
        this.receiver = receiver;
        this.accounting = accounting;
        this.onFailure = onFailure;
        this.thread = threads.newThread(this::receiveAll);
    }

    @Override
    public Map<String, String> announce() {
        return receiver.announce();
    }

    /** Does nothing if it has started, or was closed. */
    @Override
    public synchronized void start() {
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        }
    }

    @Override
    public @Nullable PacketThread awaitThread() {
        PacketThread own = started.join();
        return receiver.usesCallersThread() ? own : receiver.receivingThread();
    }

    @Override
    public @Nullable DatagramMarks datagramMarks() {
        return receiver.datagramMarks();
    }

    private void receiveAll() {
        started.complete(PacketThread.current());
        try {
            boolean recording = false;
            while (receiveSome(recording ? 0 : 1)) {
                if (!recording) {
                    recording = accounting.received() > 0;
                    cpuBeforeNs = ThreadCpuTime.currentNs();
                } else if (cpuAtLeadOutNs == ThreadCpuTime.UNKNOWN && accounting.leadOutReceived() > 0) {
                    cpuAtLeadOutNs = ThreadCpuTime.currentNs();
                }
            }
        } catch (IOException e) {
            onFailure.accept(IoErrors.reason(e));
        } catch (RuntimeException | Error e) {
            onFailure.accept(accounting.explain(e) + ".");
        } finally {
            cpuAtEndNs = ThreadCpuTime.currentNs();
        }
    }

    /**
     * Makes a few receive calls, but none after the first recorded packet. This separate method is called often, so
     * that it is already compiled at the highest tier when recording begins; no branch in it is taken by recorded
     * packets alone. {@link #receiveAll} has such a branch; the JVM options exclude it from compilation.
     *
     * @param untilRecorded 1 to stop after the first recorded packet, 0 to continue
     * @return whether more packets can arrive
     */
    private boolean receiveSome(int untilRecorded) throws IOException {
        int calls = 0;
        while (calls < CALLS_PER_ROUND) {
            if (receiver.receive(accounting) == PacketReceiver.END) {
                return false;
            }
            int recorded = (int) (-accounting.received() >>> 63) & untilRecorded;
            calls += 1 + recorded * CALLS_PER_ROUND;
        }
        return true;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Polls the counter each millisecond, so that the receiving thread need not notify anyone. At most a few
     * milliseconds of each poll count toward {@code drainMs}: packets that arrived while this process was stopped are
     * still in the socket. Closes a receiver that can hold packets, so that they are counted.
     */
    @Override
    public void drain(long drainMs) {
        long before = -1;
        long quietNs = 0;
        long lastNs = System.nanoTime();
        while (!accounting.isComplete() && thread.isAlive()) {
            long nowNs = System.nanoTime();
            quietNs += Math.min(nowNs - lastNs, MAXIMUM_POLL_NS);
            lastNs = nowNs;
            long received = accounting.received();
            if (received != before) {
                before = received;
                quietNs = 0;
            } else if (quietNs >= TimeUnit.MILLISECONDS.toNanos(drainMs)) {
                break;
            }
            LockSupport.parkNanos(POLL_INTERVAL_NS);
        }
        long cpuAfterNs = cpuAfterRecordedNs();
        if (cpuAfterNs != ThreadCpuTime.UNKNOWN && accounting.received() > 0) {
            cpuNs = cpuAfterNs - cpuBeforeNs;
        }
        if (!accounting.isComplete()) {
            receiver.refuseLatePackets();
        }
        if (receiver.canHoldPackets()) {
            close();
        }
        drained = true;
    }

    private long cpuAfterRecordedNs() {
        if (cpuAtLeadOutNs != ThreadCpuTime.UNKNOWN) {
            return cpuAtLeadOutNs;
        }
        long nowNs = ThreadCpuTime.ofNs(thread);
        return nowNs == ThreadCpuTime.UNKNOWN ? cpuAtEndNs : nowNs;
    }

    @Override
    public ReceivedCounts counts() {
        return accounting.counts();
    }

    @Override
    public long kernelDrops() {
        return receiver.kernelDrops();
    }

    @Override
    public double packetsPerDatagram() {
        return receiver.packetsPerDatagram();
    }

    @Override
    public long busResets() {
        return receiver.busResets();
    }

    @Override
    public void endSocketRecord() throws IOException {
        receiver.endSocketRecord();
    }

    /** Includes the receiving thread's CPU time, from the first call that received recorded packets to the lead-out. */
    @Override
    public Map<String, Object> metadata() {
        Map<String, Object> metadata = new HashMap<>(receiver.metadata());
        if (cpuNs != ThreadCpuTime.UNKNOWN && receiver.usesCallersThread()) {
            metadata.put(ThreadCpuTime.METADATA_NAME, cpuNs);
        }
        return metadata;
    }

    @Override
    public boolean isDrained() {
        return drained;
    }

    /** {@inheritDoc} A thread that was not started releases what only the receiving thread may, and ends. */
    @Override
    public void close() {
        receiver.close();
        start();
        Uninterruptibly.join(thread);
    }
}
