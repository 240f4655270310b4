/** Descriptions of what sends and receives the packets of a run. */
@NullMarked
package org.lagbench.core.engine;

import org.jspecify.annotations.NullMarked;
