/** How long a receiver of audio or video must buffer packets before it plays them. */
@NullMarked
package org.lagbench.analysis.playout;

import org.jspecify.annotations.NullMarked;
