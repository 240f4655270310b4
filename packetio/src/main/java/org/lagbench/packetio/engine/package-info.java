/** What moves the packets of a run: this process, or a program of its own that it conducts. */
@NullMarked
package org.lagbench.packetio.engine;

import org.jspecify.annotations.NullMarked;
