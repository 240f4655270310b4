package org.lagbench.sender;

import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.lagbench.core.time.RealtimeClock;

/**
 * Holds a run that is warm until all that are to begin with it are: it says {@value #READY}, and waits for the line
 * {@value #START} with the time of the first recorded packet, which whoever started the senders gives to all of them.
 *
 * <p>One thread waits; any may call {@link #hear} and {@link #stop}.
 */
final class StartGate {
    /** What a sender says on its standard output when it is warm. */
    static final String READY = "ready";

    /** What a line of its standard input begins with that lets it go; CLOCK_REALTIME in ns follows. */
    static final String START = "start ";

    /** Lets every run pass at once. */
    static final StartGate OPEN = new StartGate(false);

    private final boolean waits;
    private final CompletableFuture<Long> startNs = new CompletableFuture<>();
    private volatile boolean stopped;

    private StartGate(boolean waits) {
        this.waits = waits;
    }

    /** One that waits. */
    static StartGate waiting() {
        return new StartGate(true);
    }

    /** Takes a line of the standard input; others than the one it waits for are nothing to it. */
    void hear(String line) {
        if (line.startsWith(START) && line.substring(START.length()).matches("\\d{1,19}")) {
            startNs.complete(Long.parseLong(line.substring(START.length())));
        }
    }

    /**
     * Waits until the packets that lead in are to begin.
     *
     * @param leadInNs how long they take
     * @throws InterruptedIOException if it was stopped before
     */
    void pass(long leadInNs) throws InterruptedIOException {
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

    /** Makes {@link #pass} end. */
    void stop() {
        stopped = true;
        startNs.completeExceptionally(new InterruptedIOException("stopped"));
    }
}
