/** Values over time: the intervals of a run in progress, and the series of a monitor's session with their files. */
@NullMarked
package org.lagbench.core.timeseries;

import org.jspecify.annotations.NullMarked;
