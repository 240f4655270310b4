/** Joined packets in the formats of other programs. */
@NullMarked
package org.lagbench.analysis.export;

import org.jspecify.annotations.NullMarked;
