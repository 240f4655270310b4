/** The service provider interface of transports, the layout of packets, and their accounting. */
@NullMarked
package org.lagbench.packetio.transport;

import org.jspecify.annotations.NullMarked;
