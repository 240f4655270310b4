/** Readers of interface counters, from the kernel and from SNMP agents. */
@NullMarked
package org.lagbench.bandwidth;

import org.jspecify.annotations.NullMarked;
