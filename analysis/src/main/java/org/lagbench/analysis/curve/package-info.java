/** A run's values over packet number or time, thinned to the visible points without losing extremes. */
@NullMarked
package org.lagbench.analysis.curve;

import org.jspecify.annotations.NullMarked;
