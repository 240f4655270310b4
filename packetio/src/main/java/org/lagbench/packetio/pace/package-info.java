/** Pacers, which wait until the next packet is due. */
@NullMarked
package org.lagbench.packetio.pace;

import org.jspecify.annotations.NullMarked;
