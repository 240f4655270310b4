/** Measures the capacity of a path: makes the runs that a search requests. */
@NullMarked
package org.lagbench.runner.capacity;

import org.jspecify.annotations.NullMarked;
