/** The causes of the tail of the lag and of lost packets: the events of both sides compared with the stamps. */
@NullMarked
package org.lagbench.analysis.cause;

import org.jspecify.annotations.NullMarked;
