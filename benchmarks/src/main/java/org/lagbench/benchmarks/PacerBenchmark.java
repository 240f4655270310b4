package org.lagbench.benchmarks;

import java.util.concurrent.TimeUnit;
import org.lagbench.core.pace.Pacer;
import org.lagbench.core.run.Pace;
import org.lagbench.core.time.RealtimeClock;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Waiting for a packet's time, 125 µs after the one before it; a flood's waits are what the call costs. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class PacerBenchmark {
    private static final long INTERVAL_NS = 125_000;

    /** Which pacer. */
    @Param({"FLOOD", "SPIN", "HYBRID", "SLEEP"})
    @SuppressWarnings("NullAway.Init") // JMH sets it
    public Pace.Mode mode;

    @SuppressWarnings("NullAway.Init") // JMH sets up before it measures
    private Pacer pacer;

    private long index;

    /** Begins a schedule. */
    @Setup(Level.Iteration)
    public void start() {
        pacer = Pacer.of(mode == Pace.Mode.FLOOD ? Pace.flood() : new Pace(mode, INTERVAL_NS));
        pacer.start();
        index = 0;
    }

    /** How late it woke up. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Lateness {
        private long sumNs;
        private long waits;

        /** Forgets what was. */
        @Setup(Level.Iteration)
        public void clear() {
            sumNs = 0;
            waits = 0;
        }

        /** The mean of the iteration in ns. */
        public double lateNs() {
            return waits == 0 ? Double.NaN : (double) sumNs / (double) waits;
        }
    }

    /** One wait. */
    @Benchmark
    public long await(Lateness lateness) throws InterruptedException {
        long scheduledNs = pacer.await(index++);
        if (mode != Pace.Mode.FLOOD) {
            lateness.sumNs += RealtimeClock.nowNs() - scheduledNs;
            lateness.waits++;
        }
        return scheduledNs;
    }
}
