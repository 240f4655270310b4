/** What the parts of the bench cost, by JMH: {@code scripts/benchmark}. */
@NullMarked
package org.lagbench.benchmarks;

import org.jspecify.annotations.NullMarked;
