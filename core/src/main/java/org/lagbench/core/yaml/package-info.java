/** Experiments and networks as YAML: reading with the place of each problem, and writing. */
@NullMarked
package org.lagbench.core.yaml;

import org.jspecify.annotations.NullMarked;
