/** Inputs of files and peers, for a fuzzer and for the tests. */
@NullMarked
package org.lagbench.fuzz;

import org.jspecify.annotations.NullMarked;
