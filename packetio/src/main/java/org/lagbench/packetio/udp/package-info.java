/** The UDP transport: one datagram per packet. */
@NullMarked
package org.lagbench.packetio.udp;

import org.jspecify.annotations.NullMarked;
