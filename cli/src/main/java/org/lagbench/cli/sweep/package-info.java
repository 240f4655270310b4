/** Runs an experiment: a session directory, two processes a run, progress. */
@NullMarked
package org.lagbench.cli.sweep;

import org.jspecify.annotations.NullMarked;
