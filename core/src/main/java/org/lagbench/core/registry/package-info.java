/** Implementations that are registered by name and found on the class path. */
@NullMarked
package org.lagbench.core.registry;

import org.jspecify.annotations.NullMarked;
