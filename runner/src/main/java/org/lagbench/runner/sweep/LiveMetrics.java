package org.lagbench.runner.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.LiveRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.timeseries.IntervalMonitor;
import org.lagbench.core.timeseries.ReceivedInterval;

/**
 * Passes the metrics of each second of one run to the progress. The captures of a receiver on this machine are read by
 * a thread of this process; with a receiver elsewhere, the sender prints what it recorded. A failure is shown as a
 * note; the run continues.
 */
final class LiveMetrics implements IntervalMonitor.Listener, AutoCloseable {
    private static final int MAXIMUM_STAMPS = 10_000;

    private final RunSpec run;
    private final Path directory;
    private final boolean readsReceiver;
    private final Progress progress;
    private final AtomicBoolean hasNotedPriority;
    private @Nullable IntervalMonitor monitor;
    private @Nullable LiveRun live;
    private boolean hasFailed;

    /**
     * Creates the live metrics of a run that has not begun.
     *
     * @param directory the directory of the run
     * @param readsReceiver whether the receiver writes its capture there too
     * @param hasNotedPriority whether an earlier run has already printed that they may delay packets
     */
    LiveMetrics(RunSpec run, Path directory, boolean readsReceiver, Progress progress, AtomicBoolean hasNotedPriority) {
        this.run = run;
        this.directory = directory;
        this.readsReceiver = readsReceiver;
        this.progress = progress;
        this.hasNotedPriority = hasNotedPriority;
    }

    /** Called when the sender begins to send the last packets before the recorded ones. */
    synchronized void begin() {
        if (readsReceiver && monitor == null) {
            monitor = new IntervalMonitor(directory, MAXIMUM_STAMPS, this);
        }
    }

    /** Gives the thread of the metrics the lowest priority, so that it does not delay packets. */
    @Override
    public void started() {
        if (!beginIdle() && hasNotedPriority.compareAndSet(false, true)) {
            progress.note("The metrics of each second may delay packets: chrt could not set SCHED_IDLE for their"
                    + " thread. Install util-linux, or leave out --live.");
        }
    }

    @Override
    public synchronized void interval(ReceivedInterval received) {
        if (hasFailed) {
            return;
        }
        try {
            LiveRun current = live;
            if (current == null) {
                current = LiveRun.open(directory, run.point().packetBytes());
                live = current;
            }
            progress.interval(run, current.add(received));
        } catch (LagbenchException e) {
            failed(e);
        }
    }

    @Override
    public synchronized void failed(LagbenchException reason) {
        hasFailed = true;
        progress.note(run.name() + ": no metrics of each second: " + reason.sentence());
    }

    /** Called when the processes of the run have ended and all packets were counted. */
    void end() {
        IntervalMonitor running = monitor();
        if (running != null) {
            running.end(run.point().packets());
        }
    }

    private synchronized @Nullable IntervalMonitor monitor() {
        return monitor;
    }

    @Override
    public void close() throws LagbenchException {
        IntervalMonitor running = monitor();
        if (running != null) {
            running.close();
        }
        synchronized (this) {
            if (live != null) {
                live.close();
            }
        }
    }

    /**
     * Gives the calling thread the policy SCHED_IDLE, by chrt of util-linux: it runs when no other thread needs its
     * processor. Not for a JVM that moves packets: its safepoints would wait for such a thread.
     *
     * @return whether the thread has the policy; false if chrt is missing or fails
     */
    static boolean beginIdle() {
        try {
            String thread =
                    Path.of("/proc/thread-self").toRealPath().getFileName().toString();
            return new ProcessBuilder("chrt", "--idle", "--pid", "0", thread)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
