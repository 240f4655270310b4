package org.lagbench.benchmarks;

import org.HdrHistogram.Histogram;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.engine.Pacer;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/** Waits until a packet is due, 125 µs after the previous one; in a flood, measures the call alone. */
public class PacerBenchmark extends PartBenchmark {
    private static final long INTERVAL_NS = 125_000;

    @Param({"FLOOD", "SPIN", "HYBRID", "SLEEP"})
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Pace.Mode mode;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private Pacer pacer;

    private long index;

    private long startedNs;

    @Setup
    public void start() {
        pacer = Pacer.of(mode == Pace.Mode.FLOOD ? Pace.flood() : new Pace(mode, INTERVAL_NS));
        startedNs = System.nanoTime();
        pacer.start();
    }

    /** Skips the packets that are overdue. */
    @Setup(Level.Iteration)
    public void skip() {
        index = (System.nanoTime() - startedNs) / INTERVAL_NS + 1;
    }

    /** The lateness of the wake-ups: means over the iterations, which JMH adds up. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Lateness {
        private static final long MAX_NS = 10_000_000_000L;

        private final Histogram lateNs = new Histogram(MAX_NS, 3);
        private double iterations;

        /** Resets the measured values. */
        @Setup(Level.Iteration)
        public void clear(BenchmarkParams benchmark) {
            iterations = benchmark.getMeasurement().getCount();
            lateNs.reset();
        }

        public double lateNsQ50() {
            return (double) lateNs.getValueAtPercentile(50) / iterations;
        }

        /** Returns the 99 % quantile in ns. */
        public double lateNsQ99() {
            return (double) lateNs.getValueAtPercentile(99) / iterations;
        }
    }

    /** Waits once. */
    @Benchmark
    public long await(Lateness lateness, Allocation allocation) throws InterruptedException {
        long scheduledNs = pacer.await(index++);
        if (mode != Pace.Mode.FLOOD) {
            lateness.lateNs.recordValue(Math.min(Math.max(RealtimeClock.nowNs() - scheduledNs, 0), Lateness.MAX_NS));
        }
        return scheduledNs;
    }
}
