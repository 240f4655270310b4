/** What moves the packets of a run: the interface of engines, and the engines in Java with their loops and pacers. */
@NullMarked
package org.lagbench.packetio.engine;

import org.jspecify.annotations.NullMarked;
