package org.lagbench.core.cause;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.lagbench.core.file.ProcFile;

/**
 * How long one thread could run and had no CPU, and how often it was taken off one, by its {@code schedstat} and
 * {@code status} in {@code /proc}; see proc(5) and the kernel's sched-stats.rst. One thread looks. Allocates nothing
 * after it was opened.
 */
final class RunQueueDelay implements AutoCloseable {
    private static final int SCHEDSTAT_BYTES = 128;
    private static final int STATUS_BYTES = 8192;
    private static final byte[] INVOLUNTARY = "nonvoluntary_ctxt_switches:".getBytes(StandardCharsets.US_ASCII);

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

    /** Begins to look at a thread. */
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

    /** How long it waited for a CPU since this was last asked, in ns. */
    long waitedNs() throws IOException {
        long now = readWaitNs();
        long waited = now - waitNs;
        waitNs = now;
        return waited;
    }

    /** 1 if it was taken off its CPU since this was last asked, else 0; told without a branch. */
    int switched() throws IOException {
        long now = readInvoluntary();
        int switched = (int) ((involuntary - now) >>> 63);
        involuntary = now;
        return switched;
    }

    /** The second number: time spent waiting on a run queue, in ns. */
    private long readWaitNs() throws IOException {
        schedstat.read();
        return schedstat.numberAt(schedstat.afterNumber(0));
    }

    private long readInvoluntary() throws IOException {
        status.read();
        return status.numberAt(Math.max(0, status.indexOf(INVOLUNTARY, 0)));
    }

    @Override
    public void close() throws IOException {
        try (schedstat) {
            status.close();
        }
    }
}
