/** How busy a host's CPUs are. */
@NullMarked
package org.lagbench.core.load;

import org.jspecify.annotations.NullMarked;
