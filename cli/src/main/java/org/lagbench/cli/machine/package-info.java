/** What is known of this machine: for the doctor, and for the environment kept with each session. */
@NullMarked
package org.lagbench.cli.machine;

import org.jspecify.annotations.NullMarked;
