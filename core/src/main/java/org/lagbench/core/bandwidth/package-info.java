/** The bandwidth available on a link, from the counters of its interface. */
@NullMarked
package org.lagbench.core.bandwidth;

import org.jspecify.annotations.NullMarked;
