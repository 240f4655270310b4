/** Measurements of all pairs of the sites of a matrix, which agents make. */
@NullMarked
package org.lagbench.cli.matrix;

import org.jspecify.annotations.NullMarked;
