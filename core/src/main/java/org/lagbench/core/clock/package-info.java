/** The clock that stamps packets, its steps, lengths of time, and the difference of two hosts' clocks. */
@NullMarked
package org.lagbench.core.clock;

import org.jspecify.annotations.NullMarked;
