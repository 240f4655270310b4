/** Statistics of series that are read repeatedly, on all processors, instead of being kept in memory. */
@NullMarked
package org.lagbench.analysis.statistics;

import org.jspecify.annotations.NullMarked;
