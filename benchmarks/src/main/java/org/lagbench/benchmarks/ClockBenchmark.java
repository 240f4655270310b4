package org.lagbench.benchmarks;

import java.util.concurrent.TimeUnit;
import org.lagbench.core.time.RealtimeClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** One read of the clock; two are made of each packet that is sent. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ClockBenchmark {
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
