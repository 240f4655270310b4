/**
 * Whether two series are equivalent, and equally predictable: the comparisons of Krintz and Wolski, "Using JavaNws to
 * compare C and Java TCP-socket performance" (2000), and tests beyond them.
 */
@NullMarked
package org.lagbench.analysis.equivalence;

import org.jspecify.annotations.NullMarked;
