/** Readers of interface counters, from the kernel and from SNMP agents. */
@NullMarked
package org.lagbench.compression.counters;

import org.jspecify.annotations.NullMarked;
