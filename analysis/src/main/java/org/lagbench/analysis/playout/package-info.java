/** How long a receiver of audio or video must hold packets back before it plays them. */
@NullMarked
package org.lagbench.analysis.playout;

import org.jspecify.annotations.NullMarked;
