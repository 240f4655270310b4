/** Aeron over UDP, with a media driver in the process of each side. */
@NullMarked
package org.lagbench.interfaces.aeron;

import org.jspecify.annotations.NullMarked;
