package org.lagbench.core.compiler;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps what this JVM compiles apart from the recorded packets of a run, and tells what it could not keep apart. One
 * thread calls all.
 */
public final class CompilationMonitor {
    /** How long a run waits for the compilers at the most, all its waits together; on a busy machine they take long. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** The name in {@code run.json} of how long compilers worked while packets were recorded, in ms. */
    public static final String METADATA_NAME = "compilationMs";

    /**
     * The name in {@code run.json} of whether all that the warm-up made due was compiled before packets were recorded.
     */
    public static final String IDLE_NAME = "compiledWhenWarm";

    private final Map<String, Object> metadata = new TreeMap<>();
    private Duration left = LONGEST_WAIT;
    private long beganMs;

    /** Waits, when the packets have warmed up, until all that they made due is compiled. */
    public void awaitIdle() {
        long beganNs = System.nanoTime();
        metadata.put(IDLE_NAME, Compilers.awaitIdle(left));
        left = left.minusNanos(System.nanoTime() - beganNs);
    }

    /** Packets are recorded from now on. */
    public void begin() {
        beganMs = Compilers.workedMs();
    }

    /** All packets have been recorded. */
    public void end() {
        metadata.put(METADATA_NAME, Compilers.workedMs() - beganMs);
    }

    /** How it went, for {@code run.json}. */
    public Map<String, Object> metadata() {
        return Map.copyOf(metadata);
    }
}
