/** Measures paths: executes the runs that a search for a capacity requests, and those of the pairs of a matrix. */
@NullMarked
package org.lagbench.runner.capacity;

import org.jspecify.annotations.NullMarked;
