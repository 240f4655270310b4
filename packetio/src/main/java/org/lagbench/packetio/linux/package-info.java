/** What Linux tells of sockets and Java does not: the kernel's stamps, how full buffers are, congestion control. */
@NullMarked
package org.lagbench.packetio.linux;

import org.jspecify.annotations.NullMarked;
