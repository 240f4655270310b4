/** A run's values over packet number or time, thinned to what can be seen of them, extremes kept. */
@NullMarked
package org.lagbench.analysis.curve;

import org.jspecify.annotations.NullMarked;
