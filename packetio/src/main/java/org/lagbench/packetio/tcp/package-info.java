/** The TCP transport: a stream, framed by the packets' fixed size. */
@NullMarked
package org.lagbench.packetio.tcp;

import org.jspecify.annotations.NullMarked;
