/** Failures that a user can mend, and the exit codes they end in. */
@NullMarked
package org.lagbench.core.failure;

import org.jspecify.annotations.NullMarked;
