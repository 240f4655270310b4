/** The stamps of one side of one run, as NumPy files. */
@NullMarked
package org.lagbench.core.capture;

import org.jspecify.annotations.NullMarked;
