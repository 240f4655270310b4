package org.lagbench.core.cause;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.lagbench.core.file.ProcFile;
import org.lagbench.core.recorder.PacketThread;

/**
 * Measures how long a runnable thread waited for a CPU, and whether it was preempted, by its {@code schedstat} and
 * {@code status} in {@code /proc}; see proc(5) and the kernel's sched-stats.rst. Used by one thread. Allocates nothing
 * after it was opened.
 */
final class RunQueueDelay implements AutoCloseable {
    private static final int SCHEDSTAT_BYTES = 128;
    private static final int STATUS_BYTES = 8192;
    private static final byte[] INVOLUNTARY = "nonvoluntary_ctxt_switches:".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] RUNNABLE = "State:\tR".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] STOPPED = "State:\tT".getBytes(StandardCharsets.US_ASCII);

    private final ProcFile schedstat;
    private final ProcFile status;
    private long waitNs;
    private long involuntary;

    private RunQueueDelay(ProcFile schedstat, ProcFile status) throws IOException {
        this.schedstat = schedstat;
        this.status = status;
        this.waitNs = readWaitNs();
        this.involuntary = readInvoluntary();
    }

    /** Starts to measure a thread. */
    static RunQueueDelay of(PacketThread thread) throws IOException {
        ProcFile schedstat = ProcFile.open(thread.directory().resolve("schedstat"), SCHEDSTAT_BYTES);
        try {
            ProcFile status = ProcFile.open(thread.directory().resolve("status"), STATUS_BYTES);
            try {
                return new RunQueueDelay(schedstat, status);
            } catch (IOException e) {
                status.close();
                throw e;
            }
        } catch (IOException e) {
            schedstat.close();
            throw e;
        }
    }

    /** Returns how long the thread waited for a CPU since the last call, in ns. */
    long waitedNs() throws IOException {
        long now = readWaitNs();
        long waited = now - waitNs;
        waitNs = now;
        return waited;
    }

    /** Returns how long the thread ran on a CPU until {@link #waitedNs} was called last, in ns. */
    long ranNs() {
        return schedstat.numberAt(0);
    }

    /** Returns 1 if the thread was preempted since the last call, else 0; without a branch. */
    int switched() throws IOException {
        long now = readInvoluntary();
        int switched = (int) ((involuntary - now) >>> 63);
        involuntary = now;
        return switched;
    }

    /** Returns whether a signal had stopped the thread when {@link #switched} was called last. */
    boolean wasStopped() {
        return status.indexOf(STOPPED) >= 0;
    }

    /** Returns whether the thread slept or was stopped when {@link #switched} was called last. */
    boolean wasAsleep() {
        return status.indexOf(RUNNABLE) < 0;
    }

    /** Reads the second number: time spent waiting on a run queue, in ns. */
    private long readWaitNs() throws IOException {
        schedstat.read();
        return schedstat.numberAt(schedstat.afterNumber(0));
    }

    private long readInvoluntary() throws IOException {
        status.read();
        return status.numberAt(Math.max(0, status.indexOf(INVOLUNTARY)));
    }

    @Override
    public void close() throws IOException {
        try (schedstat) {
            status.close();
        }
    }
}
