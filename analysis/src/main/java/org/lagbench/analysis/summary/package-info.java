/**
 * A session and its runs, the metrics of each run and of the pooled repeats of each point, and of a run in progress.
 */
@NullMarked
package org.lagbench.analysis.summary;

import org.jspecify.annotations.NullMarked;
