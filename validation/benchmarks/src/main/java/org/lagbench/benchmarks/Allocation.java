package org.lagbench.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Bytes that the measuring thread allocated in all measured iterations together. {@code -prof gc} counts those of the
 * whole JVM, JMH's own and those of closing sockets included: some 10 kB, which is no longer as good as nothing for
 * each operation where there are not millions of them.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Allocation {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long before;
    private long after;

    /** Begins to count. */
    @Setup(Level.Iteration)
    public void begin() {
        before = threads.getCurrentThreadAllocatedBytes();
    }

    /** Has counted. */
    @TearDown(Level.Iteration)
    public void end() {
        after = threads.getCurrentThreadAllocatedBytes();
    }

    /** How many. */
    public long allocatedBytes() {
        return after - before;
    }
}
