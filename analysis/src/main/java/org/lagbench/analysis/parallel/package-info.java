/** Work on long captures, divided among processors. */
@NullMarked
package org.lagbench.analysis.parallel;

import org.jspecify.annotations.NullMarked;
