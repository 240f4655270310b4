/** Runs an experiment: the session directory, the processes of each run, the progress. */
@NullMarked
package org.lagbench.runner.sweep;

import org.jspecify.annotations.NullMarked;
