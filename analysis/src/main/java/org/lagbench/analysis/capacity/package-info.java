/** What TCP can carry over a path: the arithmetic of slow start, and what limited a transfer. */
@NullMarked
package org.lagbench.analysis.capacity;

import org.jspecify.annotations.NullMarked;
