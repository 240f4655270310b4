/** Packets over UDP: a datagram each. */
@NullMarked
package org.lagbench.packetio.udp;

import org.jspecify.annotations.NullMarked;
