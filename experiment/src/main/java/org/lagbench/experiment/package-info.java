/** Experiments and networks as YAML: reading with the place of each problem, and writing. */
@NullMarked
package org.lagbench.experiment;

import org.jspecify.annotations.NullMarked;
