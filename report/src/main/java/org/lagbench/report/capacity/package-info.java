/** Reports on paths: their capacity and available bandwidth, the gain of compression, the matrix of all paths. */
@NullMarked
package org.lagbench.report.capacity;

import org.jspecify.annotations.NullMarked;
