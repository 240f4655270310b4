/** The engine that is a program of its own, written in C, which this process conducts. */
@NullMarked
package org.lagbench.packetio.nativeengine;

import org.jspecify.annotations.NullMarked;
