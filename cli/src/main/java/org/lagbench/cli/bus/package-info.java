/** Runs a virtual IEEE-1394 bus for other programs. */
@NullMarked
package org.lagbench.cli.bus;

import org.jspecify.annotations.NullMarked;
