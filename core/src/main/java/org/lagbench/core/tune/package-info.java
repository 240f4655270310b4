/** What a tune is asked for: which settings to vary, what to minimise, what must hold. */
@NullMarked
package org.lagbench.core.tune;

import org.jspecify.annotations.NullMarked;
