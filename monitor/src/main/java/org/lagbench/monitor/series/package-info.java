/** The series of a session while a monitor records them. */
@NullMarked
package org.lagbench.monitor.series;

import org.jspecify.annotations.NullMarked;
