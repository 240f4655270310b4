package org.lagbench.benchmarks;

import org.lagbench.core.clock.RealtimeClock;
import org.openjdk.jmh.annotations.Benchmark;

/** Reads the clock; a sent packet needs two reads. */
public class ClockBenchmark extends PartBenchmark {
    /** Reads CLOCK_REALTIME, as stamps do. */
    @Benchmark
    public long realtime() {
        return RealtimeClock.nowNs();
    }

    /** Reads the cheapest clock. */
    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }
}
