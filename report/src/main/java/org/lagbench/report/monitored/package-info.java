/** Shows the series of a monitor's session. */
@NullMarked
package org.lagbench.report.monitored;

import org.jspecify.annotations.NullMarked;
