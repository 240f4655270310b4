/** The session of a monitor: probes on a schedule, whose values are recorded. */
@NullMarked
package org.lagbench.monitor.session;

import org.jspecify.annotations.NullMarked;
