package org.lagbench.benchmarks;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One value into a histogram, as exports make them. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class HistogramBenchmark {
    private final Histogram histogram = new Histogram(3_600_000_000_000L, 3);
    private long lagNs;

    /** Lags that differ. */
    @Benchmark
    public void record() {
        lagNs = (lagNs * 25_214_903_917L + 11) & 0xf_ffff;
        histogram.recordValue(lagNs);
    }
}
