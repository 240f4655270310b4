/** The figures of each run and of the pooled repeats of each point. */
@NullMarked
package org.lagbench.analysis.summary;

import org.jspecify.annotations.NullMarked;
