/** When probes are due. */
@NullMarked
package org.lagbench.monitor.schedule;

import org.jspecify.annotations.NullMarked;
