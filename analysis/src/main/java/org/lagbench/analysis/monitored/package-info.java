/** Summarizes the series of a monitor's session. */
@NullMarked
package org.lagbench.analysis.monitored;

import org.jspecify.annotations.NullMarked;
