/** Runs in progress: lines of text, and events as JSON. */
@NullMarked
package org.lagbench.report.live;

import org.jspecify.annotations.NullMarked;
