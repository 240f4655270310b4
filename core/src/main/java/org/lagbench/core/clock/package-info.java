/** How far two hosts' clocks are apart, and how surely that is known. */
@NullMarked
package org.lagbench.core.clock;

import org.jspecify.annotations.NullMarked;
