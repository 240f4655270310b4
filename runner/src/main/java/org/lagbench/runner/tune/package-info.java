/** Executes tunes: makes the runs that the tuner requests, and passes their results to it. */
@NullMarked
package org.lagbench.runner.tune;

import org.jspecify.annotations.NullMarked;
