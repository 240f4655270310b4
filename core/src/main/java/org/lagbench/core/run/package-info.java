/** One run: its specification, its outcome, and the engines that make it. */
@NullMarked
package org.lagbench.core.run;

import org.jspecify.annotations.NullMarked;
