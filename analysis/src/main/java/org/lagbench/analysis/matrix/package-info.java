/** The results of measurements between the sites of a matrix. */
@NullMarked
package org.lagbench.analysis.matrix;

import org.jspecify.annotations.NullMarked;
