/** What TCP and UDP share: addresses, socket I/O, batches, buffers and metadata. */
@NullMarked
package org.lagbench.packetio.socket;

import org.jspecify.annotations.NullMarked;
