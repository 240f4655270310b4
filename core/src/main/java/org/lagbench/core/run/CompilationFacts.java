package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * What this JVM compiled while packets were recorded.
 *
 * @param compilationMs the compilation time in ms; null if the run broke before
 * @param compiledWhenWarm whether compilation after the warm-up ended before packets were recorded; null without one
 */
public record CompilationFacts(@Nullable Long compilationMs, @Nullable Boolean compiledWhenWarm) implements SideFacts {}
