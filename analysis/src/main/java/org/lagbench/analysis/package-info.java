/**
 * Computes metrics from captures. {@code session} finds the runs, and {@code join} joins both captures of a run.
 * {@code series} and {@code curve} read durations from {@code join}, and {@code statistics} describes them.
 * {@code clock} estimates the clock offset. {@code cause} attributes the tail. {@code summary} combines all runs.
 *
 * <p>Methods that read files throw {@link org.lagbench.core.failure.LagbenchException} with the exit code for files and
 * the path, if a file cannot be read or is corrupt. Captures are read repeatedly, and never kept in memory.
 */
@NullMarked
package org.lagbench.analysis;

import org.jspecify.annotations.NullMarked;
