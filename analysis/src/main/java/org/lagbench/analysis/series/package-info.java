/** The series of durations that a run yields, one class each. */
@NullMarked
package org.lagbench.analysis.series;

import org.jspecify.annotations.NullMarked;
