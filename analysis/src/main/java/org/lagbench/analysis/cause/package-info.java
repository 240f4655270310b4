/** What made the tail of the lag, and what lost packets: the events of both sides laid over the stamps. */
@NullMarked
package org.lagbench.analysis.cause;

import org.jspecify.annotations.NullMarked;
