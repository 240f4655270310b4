/** A monitor: probes on a schedule, whose values are recorded. */
@NullMarked
package org.lagbench.monitor;

import org.jspecify.annotations.NullMarked;
