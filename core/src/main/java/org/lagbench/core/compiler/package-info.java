/** The JVM's compilers, which work beside the packets until all is compiled that packets need. */
@NullMarked
package org.lagbench.core.compiler;

import org.jspecify.annotations.NullMarked;
