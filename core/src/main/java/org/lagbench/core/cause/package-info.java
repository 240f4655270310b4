/** What happens to a process during a run that may delay its packets: recorded on each side, in that side's clock. */
@NullMarked
package org.lagbench.core.cause;

import org.jspecify.annotations.NullMarked;
