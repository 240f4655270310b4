/** Compressed transfers: chunks behind a header, the decision about each, and the data that they contain. */
@NullMarked
package org.lagbench.packetio.chunk;

import org.jspecify.annotations.NullMarked;
