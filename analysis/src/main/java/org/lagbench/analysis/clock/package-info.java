/** Estimates of the clock offset and skew from the stamps of a run, with their uncertainty, and clock steps. */
@NullMarked
package org.lagbench.analysis.clock;

import org.jspecify.annotations.NullMarked;
