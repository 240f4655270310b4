package org.lagbench.receiver;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.PacketThread;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.time.ThreadCpuTime;
import org.lagbench.core.transport.Arrivals;
import org.lagbench.core.transport.PacketReceiver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that takes packets from the network, and the wait for the last of them. */
final class PacketIntake {
    private static final Logger LOG = LoggerFactory.getLogger(PacketIntake.class);
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_LOOK_NS = 5 * LOOK_INTERVAL_NS;

    private final PacketReceiver receiver;
    private final Arrivals arrivals;
    private final ControlConnection connection;
    private final Thread thread = new Thread(this::takeAll, "packets");
    private final CompletableFuture<@Nullable PacketThread> named = new CompletableFuture<>();
    private volatile long cpuBeforeNs = ThreadCpuTime.currentNs();
    private volatile long cpuAtEndNs = ThreadCpuTime.UNKNOWN;
    private long cpuNs = ThreadCpuTime.UNKNOWN;
    private boolean drained;

    PacketIntake(PacketReceiver receiver, Arrivals arrivals, ControlConnection connection) {
        this.receiver = receiver;
        this.arrivals = arrivals;
        this.connection = connection;
    }

    void start() {
        thread.start();
    }

    /** The thread that takes packets, as the platform knows it; null if it does not. Waits until that has begun. */
    @Nullable
    PacketThread awaitThread() {
        return named.join();
    }

    private void takeAll() {
        named.complete(PacketThread.current());
        try {
            boolean recording = false;
            while (receiver.receive(arrivals) != PacketReceiver.END) {
                if (!recording && arrivals.received() > 0) {
                    recording = true;
                    cpuBeforeNs = ThreadCpuTime.currentNs();
                }
            }
        } catch (IOException e) {
            tell(e);
        } finally {
            cpuAtEndNs = ThreadCpuTime.currentNs();
        }
    }

    /** A sender on a bus would not notice that nobody takes its packets. */
    private void tell(IOException failure) {
        String reason = "The receiver could not take more packets: " + failure.getMessage();
        LOG.warn("{}", reason, failure);
        try {
            connection.write(new ControlMessage.Refused(reason, ExitCode.BROKEN.name()));
        } catch (IOException e) {
            LOG.debug("the sender has gone as well: {}", e.toString());
        }
    }

    /**
     * Waits until all packets have come, or none has for {@code drainMs}, or none can any more. Whether one has come is
     * looked up a thousand times a second, so that the thread that takes packets need not tell. Time in which this process
     * was stopped or had no CPU does not count: what had come meanwhile lies in the socket yet.
     */
    void drain(long drainMs) {
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
        drained = true;
    }

    /** What the recorded packets cost but for the first, for {@code run.json}, once all are there. */
    Map<String, Object> facts() {
        return cpuNs == ThreadCpuTime.UNKNOWN ? Map.of() : Map.of(ThreadCpuTime.FACT, cpuNs);
    }

    /** Whether {@link #drain} has come to its end. */
    boolean isDrained() {
        return drained;
    }

    /** Waits for the thread's end, after the receiver was closed. */
    void join() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
