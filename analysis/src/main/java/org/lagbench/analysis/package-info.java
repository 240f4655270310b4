/**
 * Captures in, numbers out. {@code session} finds the runs, {@code join} brings both captures of a run together,
 * {@code series} makes series of durations of them and {@code curve} thinned curves, {@code clock} finds by the stamps
 * how the clocks relate, {@code cause} says what made the tail, {@code statistics} describes a series, {@code summary}
 * does so for all runs and pools repeats.
 */
@NullMarked
package org.lagbench.analysis;

import org.jspecify.annotations.NullMarked;
