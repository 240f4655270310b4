/** How lagbench writes for other programs. */
@NullMarked
package org.lagbench.cli.format;

import org.jspecify.annotations.NullMarked;
