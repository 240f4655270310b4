/** The loops by which this process sends and receives. */
@NullMarked
package org.lagbench.packetio.jvm;

import org.jspecify.annotations.NullMarked;
