/** Checks whether this machine is fit for each transport, and how to fix it. */
@NullMarked
package org.lagbench.cli.doctor;

import org.jspecify.annotations.NullMarked;
