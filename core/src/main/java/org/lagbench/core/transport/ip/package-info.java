/** What TCP and UDP have in common: addresses, buffers of sockets, the packets to be sent. */
@NullMarked
package org.lagbench.core.transport.ip;

import org.jspecify.annotations.NullMarked;
