/** The engines that move the packets of a run: in this process, or in a native process that this one controls. */
@NullMarked
package org.lagbench.packetio.engine;

import org.jspecify.annotations.NullMarked;
