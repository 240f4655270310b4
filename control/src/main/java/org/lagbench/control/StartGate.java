package org.lagbench.control;

import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.lagbench.core.clock.RealtimeClock;

/**
 * Delays a run after its warm-up until a common start. It reports {@link SideMessage.Ready} and waits for
 * {@link SideMessage.Start}, which the parent process writes to all sides that begin together.
 *
 * <p>One thread waits; any thread may call {@link #open} and {@link #stop}.
 */
public final class StartGate {
    /** A gate that does not delay a run. */
    public static final StartGate OPEN = new StartGate(false);

    private final boolean waits;
    private final CompletableFuture<Long> startNs = new CompletableFuture<>();
    private volatile boolean stopped;

    private StartGate(boolean waits) {
        this.waits = waits;
    }

    /** Returns a gate that waits for the common start. */
    public static StartGate waiting() {
        return new StartGate(true);
    }

    /**
     * Sets the common start.
     *
     * @param dueNs when the first recorded packet is due, CLOCK_REALTIME in ns
     */
    void open(long dueNs) {
        startNs.complete(dueNs);
    }

    /**
     * Waits until the lead-in packets are due.
     *
     * @param leadInNs duration of the lead-in
     * @throws InterruptedIOException if it was stopped before
     */
    public void pass(long leadInNs) throws InterruptedIOException {
        if (!waits) {
            return;
        }
        SidePipe.print(new SideMessage.Ready());
        try {
            long beginNs = startNs.get() - leadInNs;
            for (long leftNs = beginNs - RealtimeClock.nowNs(); leftNs > 0 && !stopped; ) {
                LockSupport.parkNanos(Math.min(leftNs, TimeUnit.MILLISECONDS.toNanos(100)));
                leftNs = beginNs - RealtimeClock.nowNs();
            }
        } catch (InterruptedException | ExecutionException e) {
            stopped = true;
        }
        if (stopped) {
            throw new InterruptedIOException("stopped before the common start");
        }
    }

    /** Ends {@link #pass} with an exception. */
    public void stop() {
        stopped = true;
        startNs.completeExceptionally(new InterruptedIOException("the run was stopped"));
    }
}
