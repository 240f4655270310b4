package org.lagbench.core.cause;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Waits for this JVM's compilers before the recorded packets of a run, and measures compilation while they are sent or
 * received. Used by one thread.
 */
public final class CompilationMonitor {
    /** The longest time that a run waits for the compilers, the sum of all its waits. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** The key in {@code run.json} of the compilation time while packets were recorded, in ms. */
    public static final String METADATA_NAME = "compilationMs";

    /** The key in {@code run.json} of whether compilation after the warm-up ended before packets were recorded. */
    public static final String IDLE_NAME = "compiledWhenWarm";

    private final Map<String, Object> metadata = new TreeMap<>();
    private Duration left = LONGEST_WAIT;
    private long beganMs;

    /** Waits, after the warm-up packets, until the compilers are idle. */
    public void awaitIdle() {
        long beganNs = System.nanoTime();
        metadata.put(IDLE_NAME, Compilers.awaitIdle(left));
        left = left.minusNanos(System.nanoTime() - beganNs);
    }

    /** Begins to measure the compilation time. Called before the first recorded packet. */
    public void begin() {
        beganMs = Compilers.workedMs();
    }

    /** Ends the measurement of the compilation time. Called after the last recorded packet. */
    public void end() {
        metadata.put(METADATA_NAME, Compilers.workedMs() - beganMs);
    }

    /** Returns the entries for {@code run.json}. */
    public Map<String, Object> metadata() {
        return Map.copyOf(metadata);
    }
}
