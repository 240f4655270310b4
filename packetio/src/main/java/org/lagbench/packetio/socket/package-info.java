/** What TCP and UDP have in common: addresses, buffers of sockets, the packets to be sent. */
@NullMarked
package org.lagbench.packetio.socket;

import org.jspecify.annotations.NullMarked;
