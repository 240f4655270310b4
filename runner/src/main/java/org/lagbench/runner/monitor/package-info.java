/** A monitor: probes on a schedule, whose values are recorded, and what they cost. */
@NullMarked
package org.lagbench.runner.monitor;

import org.jspecify.annotations.NullMarked;
