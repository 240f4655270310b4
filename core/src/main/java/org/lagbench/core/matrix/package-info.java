/** Measurements of all pairs of sites. */
@NullMarked
package org.lagbench.core.matrix;

import org.jspecify.annotations.NullMarked;
