/** The newest values of a monitor for Prometheus. */
@NullMarked
package org.lagbench.monitor.metrics;

import org.jspecify.annotations.NullMarked;
