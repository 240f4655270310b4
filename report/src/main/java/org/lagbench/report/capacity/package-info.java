/** Reports on the capacity of a path, its available bandwidth, and the gain of compression. */
@NullMarked
package org.lagbench.report.capacity;

import org.jspecify.annotations.NullMarked;
