/** Lossless codecs, the data that they compress, and how a sender chooses one. */
@NullMarked
package org.lagbench.core.codec;

import org.jspecify.annotations.NullMarked;
