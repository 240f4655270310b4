/** What the command lines of several programs have in common. */
@NullMarked
package org.lagbench.core.commandline;

import org.jspecify.annotations.NullMarked;
