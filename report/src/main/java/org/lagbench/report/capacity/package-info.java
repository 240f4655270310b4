/** Shows what TCP gets from a path. */
@NullMarked
package org.lagbench.report.capacity;

import org.jspecify.annotations.NullMarked;
