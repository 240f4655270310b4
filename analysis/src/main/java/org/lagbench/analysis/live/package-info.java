/** The figures of a run while it goes on. */
@NullMarked
package org.lagbench.analysis.live;

import org.jspecify.annotations.NullMarked;
