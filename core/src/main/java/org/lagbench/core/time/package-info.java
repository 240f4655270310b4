/** The clock that stamps, the timer slack of a thread, and its sleep. */
@NullMarked
package org.lagbench.core.time;

import org.jspecify.annotations.NullMarked;
