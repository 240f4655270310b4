/** Conducts tunes: makes the runs that the analysis asks for, and shows it what came of them. */
@NullMarked
package org.lagbench.cli.tune;

import org.jspecify.annotations.NullMarked;
