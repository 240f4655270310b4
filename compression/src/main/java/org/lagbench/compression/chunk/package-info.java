/** Compressed transfers: chunks behind a header, the decision about each, and the data that they contain. */
@NullMarked
package org.lagbench.compression.chunk;

import org.jspecify.annotations.NullMarked;
