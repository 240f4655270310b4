/** The live pages of sweeps and monitors, a server for browsers on this machine, and metrics for Prometheus. */
@NullMarked
package org.lagbench.web;

import org.jspecify.annotations.NullMarked;
