/** One packet: its layout and its payload. */
@NullMarked
package org.lagbench.packetio.packet;

import org.jspecify.annotations.NullMarked;
