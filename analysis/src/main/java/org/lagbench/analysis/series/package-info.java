/** The series of durations of a run. */
@NullMarked
package org.lagbench.analysis.series;

import org.jspecify.annotations.NullMarked;
