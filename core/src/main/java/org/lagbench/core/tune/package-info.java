/** The goal of a tune: the settings to vary, the objective, the constraints. */
@NullMarked
package org.lagbench.core.tune;

import org.jspecify.annotations.NullMarked;
