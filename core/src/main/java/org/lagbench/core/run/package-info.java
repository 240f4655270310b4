/** One run: what it shall be, and what became of it. */
@NullMarked
package org.lagbench.core.run;

import org.jspecify.annotations.NullMarked;
