/** Options and help that several programs share. */
@NullMarked
package org.lagbench.commandline;

import org.jspecify.annotations.NullMarked;
