/** Emulates networks on this machine with network namespaces, links, impairments and competing flows. */
@NullMarked
package org.lagbench.lab;

import org.jspecify.annotations.NullMarked;
