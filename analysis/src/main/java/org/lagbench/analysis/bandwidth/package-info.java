/** How estimates of the available bandwidth follow the truth. */
@NullMarked
package org.lagbench.analysis.bandwidth;

import org.jspecify.annotations.NullMarked;
