package org.lagbench.packetio.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/**
 * How much CPU time a thread has used, in user and system mode together, in ns: on Linux the clock
 * {@code CLOCK_THREAD_CPUTIME_ID}, which is exact and not counted in ticks. Thread-safe; allocates nothing.
 */
public final class ThreadCpuTime {
    /** Given where the platform does not tell. */
    public static final long UNKNOWN = -1;

    /** The name in {@code run.json} of what the thread that sends or receives used over the recorded packets. */
    public static final String METADATA_NAME = "packetThreadCpuNs";

    private static final @Nullable ThreadMXBean THREADS = threads();

    private ThreadCpuTime() {}

    /** That of the calling thread, or {@link #UNKNOWN}. */
    public static long currentNs() {
        return THREADS == null ? UNKNOWN : THREADS.getCurrentThreadCpuTime();
    }

    /** That of a thread, or {@link #UNKNOWN}, as once it has ended. */
    public static long ofNs(Thread thread) {
        return THREADS == null ? UNKNOWN : THREADS.getThreadCpuTime(thread.getId());
    }

    private static @Nullable ThreadMXBean threads() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled() ? threads : null;
    }
}
