/** Makes networks on this machine: network namespaces, the links between them, what delays and competes there. */
@NullMarked
package org.lagbench.lab;

import org.jspecify.annotations.NullMarked;
