/** Measures the paths between all sites of a matrix, with the agents on the sites. */
@NullMarked
package org.lagbench.runner.matrix;

import org.jspecify.annotations.NullMarked;
