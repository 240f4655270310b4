/** Experiment files: their model, their reader, and the runs that follow from them. */
@NullMarked
package org.lagbench.core.experiment;

import org.jspecify.annotations.NullMarked;
