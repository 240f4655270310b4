/** What delays packets on one side of a run, recorded in that side's clock. */
@NullMarked
package org.lagbench.core.cause;

import org.jspecify.annotations.NullMarked;
