package org.lagbench.benchmarks;

import org.lagbench.core.time.RealtimeClock;
import org.openjdk.jmh.annotations.Benchmark;

/** One read of the clock; two are made of each packet that is sent. */
public class ClockBenchmark extends PartBenchmark {
    /** As stamps are taken. */
    @Benchmark
    public long realtime() {
        return RealtimeClock.nowNs();
    }

    /** What a program can have at the least. */
    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }
}
