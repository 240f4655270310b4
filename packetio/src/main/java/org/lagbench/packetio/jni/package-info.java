/** The files and libraries of native builds. */
@NullMarked
package org.lagbench.packetio.jni;

import org.jspecify.annotations.NullMarked;
