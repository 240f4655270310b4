/** JMH benchmarks of the parts of lagbench: {@code scripts/benchmark}. */
@NullMarked
package org.lagbench.benchmarks;

import org.jspecify.annotations.NullMarked;
