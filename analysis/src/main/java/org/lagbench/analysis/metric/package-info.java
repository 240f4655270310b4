/** The list of all metrics that are computed from runs. */
@NullMarked
package org.lagbench.analysis.metric;

import org.jspecify.annotations.NullMarked;
