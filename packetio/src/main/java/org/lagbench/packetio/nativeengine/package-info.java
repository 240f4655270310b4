/** The native engine: a separate process, written in C, that this process controls. */
@NullMarked
package org.lagbench.packetio.nativeengine;

import org.jspecify.annotations.NullMarked;
