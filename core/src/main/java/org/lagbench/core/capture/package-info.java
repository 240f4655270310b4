/** The stamps one side kept of one run, as a NumPy file. */
@NullMarked
package org.lagbench.core.capture;

import org.jspecify.annotations.NullMarked;
