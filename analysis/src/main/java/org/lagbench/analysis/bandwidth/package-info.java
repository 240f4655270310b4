/** Compares estimates of the available bandwidth with the true available bandwidth. */
@NullMarked
package org.lagbench.analysis.bandwidth;

import org.jspecify.annotations.NullMarked;
