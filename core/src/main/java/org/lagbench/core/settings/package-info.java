/** Typed settings of a transport: their definitions, parsing and range checks. */
@NullMarked
package org.lagbench.core.settings;

import org.jspecify.annotations.NullMarked;
