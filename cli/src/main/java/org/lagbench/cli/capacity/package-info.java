/** Measures the capacity of a path: makes the runs that a search asks for. */
@NullMarked
package org.lagbench.cli.capacity;

import org.jspecify.annotations.NullMarked;
