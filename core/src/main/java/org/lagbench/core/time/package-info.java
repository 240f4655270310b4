/** The clock that stamps packets, a thread's timer slack, and lengths of time. */
@NullMarked
package org.lagbench.core.time;

import org.jspecify.annotations.NullMarked;
