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
 * Bytes that the measuring thread allocates in all measured iterations together. {@code -prof gc} counts the whole JVM,
 * including JMH and closing sockets: about 10 kB, too much for benchmarks with few operations.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Allocation {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long before;
    private long after;

    /** Starts counting. */
    @Setup(Level.Iteration)
    public void begin() {
        before = threads.getCurrentThreadAllocatedBytes();
    }

    /** Stops counting. */
    @TearDown(Level.Iteration)
    public void end() {
        after = threads.getCurrentThreadAllocatedBytes();
    }

    public long allocatedBytes() {
        return after - before;
    }
}
