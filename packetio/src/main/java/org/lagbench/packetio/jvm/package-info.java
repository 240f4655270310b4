/** The engines that send and receive in this process. */
@NullMarked
package org.lagbench.packetio.jvm;

import org.jspecify.annotations.NullMarked;
