/** What the monitor command prints. */
@NullMarked
package org.lagbench.runner.monitor;

import org.jspecify.annotations.NullMarked;
