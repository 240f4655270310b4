package org.lagbench.benchmarks;

import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.Benchmark;

/** Records a value in a histogram, as exports do. */
public class HistogramBenchmark extends PartBenchmark {
    private final Histogram histogram = new Histogram(3_600_000_000_000L, 3);
    private long lagNs;

    /** Generates different lags. */
    @Benchmark
    public void record() {
        lagNs = (lagNs * 25_214_903_917L + 11) & 0xf_ffff;
        histogram.recordValue(lagNs);
    }
}
