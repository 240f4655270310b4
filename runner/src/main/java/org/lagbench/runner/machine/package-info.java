/** This machine, for the doctor and for the environment of each session. */
@NullMarked
package org.lagbench.runner.machine;

import org.jspecify.annotations.NullMarked;
