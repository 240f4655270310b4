/** Describes this machine, for the doctor and for the environment of each session. */
@NullMarked
package org.lagbench.cli.machine;

import org.jspecify.annotations.NullMarked;
