/** One run: its specification and its outcome. */
@NullMarked
package org.lagbench.core.run;

import org.jspecify.annotations.NullMarked;
