/** What this machine has and lacks for each transport, and what to do about it. */
@NullMarked
package org.lagbench.cli.doctor;

import org.jspecify.annotations.NullMarked;
