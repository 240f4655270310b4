/** Transfers: their throughput by several formulas, what limited them, and models of the compressed ones. */
@NullMarked
package org.lagbench.analysis.transfer;

import org.jspecify.annotations.NullMarked;
