/** Registries of implementations by name. */
@NullMarked
package org.lagbench.core.registry;

import org.jspecify.annotations.NullMarked;
