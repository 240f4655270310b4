/** TCP and UDP through Netty, with three kinds of I/O. */
@NullMarked
package org.lagbench.engines.netty;

import org.jspecify.annotations.NullMarked;
