/** The difference of two hosts' clocks and its uncertainty. */
@NullMarked
package org.lagbench.core.clock;

import org.jspecify.annotations.NullMarked;
