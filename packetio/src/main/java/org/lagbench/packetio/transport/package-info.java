/** The service provider interface of transports; the layout of packets, their accounting, batches and socket I/O. */
@NullMarked
package org.lagbench.packetio.transport;

import org.jspecify.annotations.NullMarked;
