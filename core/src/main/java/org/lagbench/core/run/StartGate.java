package org.lagbench.core.run;

import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.lagbench.core.clock.RealtimeClock;

/**
 * Delays a warm run until a common start. It prints {@value #READY} and waits for the line {@value #START} with the
 * time of the first recorded packet, which the parent process writes to all programs that begin together.
 *
 * <p>One thread waits; any thread may call {@link #accept} and {@link #stop}.
 */
public final class StartGate {
    /** The line that a program prints on its standard output when its warm-up is over. */
    public static final String READY = "ready";

    /**
     * Prefix of the line on the standard input that starts the recorded packets; their time follows, CLOCK_REALTIME in
     * ns.
     */
    public static final String START = "start ";

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

    /** Accepts a line of the standard input; ignores other lines than the start. */
    public void accept(String line) {
        if (line.startsWith(START) && line.substring(START.length()).matches("\\d{1,19}")) {
            startNs.complete(Long.parseLong(line.substring(START.length())));
        }
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
        System.out.println(READY);
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
        startNs.completeExceptionally(new InterruptedIOException("stopped"));
    }
}
