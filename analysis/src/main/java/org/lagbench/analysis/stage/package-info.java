/** The stages of a packet's lag, and the fill levels of buffers. */
@NullMarked
package org.lagbench.analysis.stage;

import org.jspecify.annotations.NullMarked;
