/** The figures of every run, and of the repeats of each point pooled. */
@NullMarked
package org.lagbench.analysis.summary;

import org.jspecify.annotations.NullMarked;
