/** What the monitor command prints. */
@NullMarked
package org.lagbench.cli.monitor;

import org.jspecify.annotations.NullMarked;
