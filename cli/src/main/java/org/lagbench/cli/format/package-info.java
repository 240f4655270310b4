/** Formats output for other programs. */
@NullMarked
package org.lagbench.cli.format;

import org.jspecify.annotations.NullMarked;
