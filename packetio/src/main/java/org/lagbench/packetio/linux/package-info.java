/** Linux's sockets beyond what Java offers: system calls with stamps, kernel stamps, occupancy, congestion control. */
@NullMarked
package org.lagbench.packetio.linux;

import org.jspecify.annotations.NullMarked;
