/** What was measured between each two sites of a matrix. */
@NullMarked
package org.lagbench.analysis.matrix;

import org.jspecify.annotations.NullMarked;
