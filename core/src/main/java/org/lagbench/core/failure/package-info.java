/** Failures that a user can fix, their exit codes, and foreign text in messages. */
@NullMarked
package org.lagbench.core.failure;

import org.jspecify.annotations.NullMarked;
