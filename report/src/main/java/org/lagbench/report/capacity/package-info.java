/** Shows what TCP achieves over a path. */
@NullMarked
package org.lagbench.report.capacity;

import org.jspecify.annotations.NullMarked;
