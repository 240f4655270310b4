/** The service provider interface of the transports that the Java engine sends and receives over. */
@NullMarked
package org.lagbench.packetio.transport;

import org.jspecify.annotations.NullMarked;
