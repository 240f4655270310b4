/** The figures of a run in progress, from the receiver's capture as it grows. */
@NullMarked
package org.lagbench.core.live;

import org.jspecify.annotations.NullMarked;
