/** What a monitor measures. */
@NullMarked
package org.lagbench.monitor.probe;

import org.jspecify.annotations.NullMarked;
