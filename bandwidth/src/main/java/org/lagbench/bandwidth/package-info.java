/** Sources of the counters of interfaces. */
@NullMarked
package org.lagbench.bandwidth;

import org.jspecify.annotations.NullMarked;
