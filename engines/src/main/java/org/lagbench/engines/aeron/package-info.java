/** Aeron over UDP, with a media driver in the process of each side. */
@NullMarked
package org.lagbench.engines.aeron;

import org.jspecify.annotations.NullMarked;
