/** Failures that a user can fix, and their exit codes. */
@NullMarked
package org.lagbench.core.failure;

import org.jspecify.annotations.NullMarked;
