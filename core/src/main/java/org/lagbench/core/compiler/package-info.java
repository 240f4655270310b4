/** The JVM's compilers, which run beside the packets. */
@NullMarked
package org.lagbench.core.compiler;

import org.jspecify.annotations.NullMarked;
