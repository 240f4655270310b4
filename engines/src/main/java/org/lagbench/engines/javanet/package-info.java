/** TCP through {@code java.net.Socket} and its streams, from platform threads or virtual ones. */
@NullMarked
package org.lagbench.engines.javanet;

import org.jspecify.annotations.NullMarked;
