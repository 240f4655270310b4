package org.lagbench.analysis.matrix;

import org.jspecify.annotations.Nullable;

/**
 * One directed pair of sites.
 *
 * @param from the site that sends
 * @param to the site that receives
 * @param figures null if nothing was measured
 * @param failure a sentence why the measurement is missing or incomplete; null if it is complete
 */
public record PairResult(String from, String to, @Nullable PairMetrics figures, @Nullable String failure) {}
