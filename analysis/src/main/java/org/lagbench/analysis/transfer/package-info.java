/** Transfers: their throughput by several formulas, and what limited them. */
@NullMarked
package org.lagbench.analysis.transfer;

import org.jspecify.annotations.NullMarked;
