package org.lagbench.benchmarks;

import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.Benchmark;

/** One value into a histogram, as exports make them. */
public class HistogramBenchmark extends PartBenchmark {
    private final Histogram histogram = new Histogram(3_600_000_000_000L, 3);
    private long lagNs;

    /** Lags that differ. */
    @Benchmark
    public void record() {
        lagNs = (lagNs * 25_214_903_917L + 11) & 0xf_ffff;
        histogram.recordValue(lagNs);
    }
}
