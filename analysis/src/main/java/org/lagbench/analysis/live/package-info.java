/** The figures of a run in progress. */
@NullMarked
package org.lagbench.analysis.live;

import org.jspecify.annotations.NullMarked;
