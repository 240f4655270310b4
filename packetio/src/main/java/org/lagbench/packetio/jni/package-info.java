/** Native libraries of other modules: where they are, how they are loaded. */
@NullMarked
package org.lagbench.packetio.jni;

import org.jspecify.annotations.NullMarked;
