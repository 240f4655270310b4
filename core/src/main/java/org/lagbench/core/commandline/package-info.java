/** The common part of the command lines. */
@NullMarked
package org.lagbench.core.commandline;

import org.jspecify.annotations.NullMarked;
