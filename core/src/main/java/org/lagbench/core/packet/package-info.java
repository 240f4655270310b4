/** One packet: its layout and its payload. */
@NullMarked
package org.lagbench.core.packet;

import org.jspecify.annotations.NullMarked;
