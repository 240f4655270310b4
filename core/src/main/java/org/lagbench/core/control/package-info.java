/** The control session between sender and receiver about a run. */
@NullMarked
package org.lagbench.core.control;

import org.jspecify.annotations.NullMarked;
