/** Packets over UDP: a datagram each. */
@NullMarked
package org.lagbench.core.transport.udp;

import org.jspecify.annotations.NullMarked;
