/** The results of measurements between the sites of a matrix, and which paths share a bottleneck. */
@NullMarked
package org.lagbench.analysis.matrix;

import org.jspecify.annotations.NullMarked;
