package org.lagbench.packetio.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/**
 * CPU time of threads in user and system mode, in ns. On Linux it is CLOCK_THREAD_CPUTIME_ID, which is exact.
 * Thread-safe; allocates nothing.
 */
public final class ThreadCpuTime {
    /** Returned if the platform does not measure CPU time. */
    public static final long UNKNOWN = -1;

    /** The key in {@code run.json} of the CPU time that the packet thread used for the recorded packets. */
    public static final String METADATA_NAME = "packetThreadCpuNs";

    private static final @Nullable ThreadMXBean THREADS = threads();

    private ThreadCpuTime() {}

    /** Returns the CPU time of the calling thread, or {@link #UNKNOWN}, as for a virtual thread. */
    public static long currentNs() {
        if (THREADS == null) {
            return UNKNOWN;
        }
        try {
            return THREADS.getCurrentThreadCpuTime();
        } catch (UnsupportedOperationException e) {
            return UNKNOWN; // the thread is virtual
        }
    }

    /** Returns the CPU time of a thread, or {@link #UNKNOWN}, which is also returned once the thread has ended. */
    public static long ofNs(Thread thread) {
        return THREADS == null ? UNKNOWN : THREADS.getThreadCpuTime(thread.getId());
    }

    private static @Nullable ThreadMXBean threads() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled() ? threads : null;
    }
}
