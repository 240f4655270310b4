package org.lagbench.packetio.jvm;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.PacketThread;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.ReceivedCounts;
import org.lagbench.packetio.engine.ThreadCpuTime;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;

/** The thread of this process that takes packets from the network, and the wait for the last of them. */
public final class ReceiveLoop implements ReceiveEngine {
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_LOOK_NS = 5 * LOOK_INTERVAL_NS;

    private static final int CALLS_AT_ONCE = 16;

    private final PacketReceiver receiver;
    private final PacketAccounting arrivals;
    private final Consumer<String> failed;
    private final Thread thread = new Thread(this::takeAll, "packets");
    private final CompletableFuture<@Nullable PacketThread> named = new CompletableFuture<>();
    private volatile long cpuBeforeNs = ThreadCpuTime.currentNs();
    private volatile long cpuAtEndNs = ThreadCpuTime.UNKNOWN;
    private long cpuNs = ThreadCpuTime.UNKNOWN;
    private boolean drained;

    public ReceiveLoop(PacketReceiver receiver, PacketAccounting arrivals, Consumer<String> failed) {
        this.receiver = receiver;
        this.arrivals = arrivals;
        this.failed = failed;
    }

    @Override
    public Map<String, String> announce() {
        return receiver.announce();
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public @Nullable PacketThread awaitThread() {
        return named.join();
    }

    private void takeAll() {
        named.complete(PacketThread.current());
        try {
            boolean recording = false;
            while (takeSome(recording ? 0 : 1)) {
                if (!recording) {
                    recording = arrivals.received() > 0;
                    cpuBeforeNs = ThreadCpuTime.currentNs();
                }
            }
        } catch (IOException e) {
            failed.accept(String.valueOf(e.getMessage()));
        } finally {
            cpuAtEndNs = ThreadCpuTime.currentNs();
        }
    }

    /**
     * Receives some times, but not on after the first recorded packet. A method of its own, called often, which the
     * compiler has made for good when recording begins, as it has not with a loop that is entered once; and no branch
     * in it is taken by recorded packets alone. {@link #takeAll}, which has such a branch, is never compiled: the JVMs
     * of packets are told so.
     *
     * @param untilRecorded 1 to end after the first recorded packet, 0 not to
     * @return whether more can come
     */
    private boolean takeSome(int untilRecorded) throws IOException {
        int calls = 0;
        while (calls < CALLS_AT_ONCE) {
            if (receiver.receive(arrivals) == PacketReceiver.END) {
                return false;
            }
            int recorded = (int) (-arrivals.received() >>> 63) & untilRecorded;
            calls += 1 + recorded * CALLS_AT_ONCE;
        }
        return true;
    }

    /**
     * Waits until all packets have come, or none has for {@code drainMs}, or none can any more. Whether one has come is
     * looked up a thousand times a second, so that the thread that takes packets need not tell. Time in which this
     * process was stopped or had no CPU does not count: what had come meanwhile lies in the socket yet. A receiver that
     * holds packets back is closed then, so that they count.
     */
    @Override
    public void drain(long drainMs) {
        long before = -1;
        long quietNs = 0;
        long lastNs = System.nanoTime();
        while (!arrivals.isComplete() && thread.isAlive()) {
            long nowNs = System.nanoTime();
            quietNs += Math.min(nowNs - lastNs, LONGEST_LOOK_NS);
            lastNs = nowNs;
            long received = arrivals.received();
            if (received != before) {
                before = received;
                quietNs = 0;
            } else if (quietNs >= TimeUnit.MILLISECONDS.toNanos(drainMs)) {
                break;
            }
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
        }
        long nowNs = ThreadCpuTime.ofNs(thread);
        long cpuAfterNs = nowNs == ThreadCpuTime.UNKNOWN ? cpuAtEndNs : nowNs;
        if (cpuAfterNs != ThreadCpuTime.UNKNOWN && arrivals.received() > 0) {
            cpuNs = cpuAfterNs - cpuBeforeNs;
        }
        if (receiver.holdsBack()) {
            close();
        }
        drained = true;
    }

    @Override
    public ReceivedCounts tally() {
        return ReceivedCounts.of(arrivals);
    }

    @Override
    public long kernelDrops() {
        return receiver.kernelDrops();
    }

    @Override
    public long busResets() {
        return receiver.busResets();
    }

    @Override
    public void endStages() throws IOException {
        receiver.endStages();
    }

    /**
     * With what the recorded packets cost but for those of the first call of {@link PacketReceiver#receive} that gave
     * one.
     */
    @Override
    public Map<String, Object> metadata() {
        Map<String, Object> metadata = new HashMap<>(receiver.metadata());
        if (cpuNs != ThreadCpuTime.UNKNOWN) {
            metadata.put(ThreadCpuTime.METADATA_NAME, cpuNs);
        }
        return metadata;
    }

    @Override
    public boolean isDrained() {
        return drained;
    }

    @Override
    public void close() {
        receiver.close();
        Uninterruptibly.join(thread);
    }
}
