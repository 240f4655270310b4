/** The clock that stamps, and the timer slack of a thread. */
@NullMarked
package org.lagbench.core.time;

import org.jspecify.annotations.NullMarked;
